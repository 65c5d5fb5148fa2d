import { formatConnectionLink } from '@terse/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { connect, resultIn, shortenOther } from './harness/person.ts';
import type { Manner } from './harness/spec-only-service.ts';
import { givenChromium, givenSpecOnlyService } from './harness/world.ts';

const URL_HERE = 'https://www.example.com/here';

async function givenSpecOnlyConnection() {
  const [service, browser] = await Promise.all([givenSpecOnlyService(), givenChromium()]);
  const options = await connect(browser, formatConnectionLink(service));
  const popup = await openExtensionPage(browser, 'popup');
  return { service, browser, options, popup };
}

test('a service with POST /api/shorten alone is enough', async () => {
  const { service, options, popup } = await givenSpecOnlyConnection();
  await options.getByText('One that tells nothing about itself').waitFor();
  await shortenOther(popup, URL_HERE);
  expect(await resultIn(popup)).toBe(`${new URL(service.baseUrl).host}/s1`);
  expect(service.made).toEqual([URL_HERE]);
});

test('its requests are a second apart, counted from the answer', async () => {
  const { service, popup } = await givenSpecOnlyConnection();
  for (const name of ['a', 'b', 'c', 'd']) {
    await shortenOther(popup, `https://www.example.com/${name}`);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  }
  await expect.poll(() => service.made.length, { timeout: 30_000 }).toBe(4);
  for (const [index, { at }] of service.received.entries()) {
    const before = service.received[index - 1]?.answeredAt;
    if (before) expect(at - before).toBeGreaterThanOrEqual(1000);
  }
});

/** What cannot be told from a link that was made is not sent again before the person decides. */
const UNDECIDED: [Manner, string][] = [
  ['drop-before', 'The connection broke before an answer came.'],
  ['drop-after', 'The connection broke before an answer came.'],
  ['html-500', 'The service had an error of its own.'],
  ['garbage', "The service's answer could not be understood."],
  ['empty', "The service's answer could not be understood."],
  ['hang', 'The service did not answer in time.'],
];

test.each(UNDECIDED)('%s: the person decides, then it is sent again', async (manner, sentence) => {
  const { service, popup } = await givenSpecOnlyConnection();
  service.manner = manner;
  await shortenOther(popup, URL_HERE);
  const target = popup.getByRole('region', { name: 'What to shorten' });
  await target.getByText('It may have been created. Sending it again may make a second link.').waitFor();
  await target.getByText(sentence).waitFor();
  const before = service.received.length;

  service.manner = 'right';
  await popup.getByRole('button', { name: `Send again: ${URL_HERE}` }).click();
  await resultIn(popup);
  expect(service.received).toHaveLength(before + 1);
  expect(service.made.at(-1)).toBe(URL_HERE);
});

/** Refusals that no other request would meet end the one request; those that any would meet hold the queue. */
const REFUSED: [Manner, string][] = [
  ['refuse-url', 'Please enter a valid URL.'],
  ['refuse-key', 'refused your API key'],
  ['redirect', 'redirects to another address'],
];

test.each(REFUSED)('%s: said, and nothing is sent again by itself', async (manner, sentence) => {
  const { service, popup } = await givenSpecOnlyConnection();
  service.manner = manner;
  await shortenOther(popup, URL_HERE);
  await popup.getByText(sentence).first().waitFor();
  expect(service.received).toHaveLength(1);
  expect(service.made).toEqual([]);
});

/** A browser may have sent it twice by itself, and this be the answer to the second: decision 4. */
test.each(['limited', 'limited-retry-after'] as const)('%s: may hide a link, so the person decides', async (manner) => {
  const { service, popup } = await givenSpecOnlyConnection();
  service.manner = manner;
  await shortenOther(popup, URL_HERE);
  await expect.poll(() => service.received.length).toBe(1);
  const target = popup.getByRole('region', { name: 'What to shorten' });
  await target.getByText('It may have been created. Sending it again may make a second link.').waitFor();
  service.manner = 'right';
  await popup.getByRole('button', { name: `Send again: ${URL_HERE}` }).click();
  await resultIn(popup);
  expect(service.made).toEqual([URL_HERE]);
});

test.each([1, 2, 3])('an answer lost on a kept-alive connection is received once, and a question (%d)', async () => {
  const { service, popup } = await givenSpecOnlyConnection();
  await shortenOther(popup, 'https://example.org/before');
  await resultIn(popup);
  service.manner = 'drop-after';
  await shortenOther(popup, URL_HERE);
  const target = popup.getByRole('region', { name: 'What to shorten' });
  await target.getByText('It may have been created. Sending it again may make a second link.').waitFor();
  expect(service.received.filter(({ url }) => url === URL_HERE)).toHaveLength(1);
  expect(service.made.filter((url) => url === URL_HERE)).toHaveLength(1);
});

test('an answer made of markup is shown as text', async () => {
  const { service, popup } = await givenSpecOnlyConnection();
  service.manner = 'hostile';
  await shortenOther(popup, URL_HERE);
  expect(await resultIn(popup)).toContain('onerror=alert(1)');
  expect(await elementsOf(popup, 'img, script:not([src])')).toBe(0);
});

function elementsOf(page: Page, selector: string): Promise<number> {
  return page.locator('main').locator(selector).count();
}
