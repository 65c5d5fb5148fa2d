import { formatConnectionLink } from '@terse/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserPage, BrowserUnderTest } from './harness/browser-under-test.ts';
import { connectOn, resultIn, shortenOther } from './harness/person.ts';
import { type Manner, type SpecOnlyService, startSpecOnlyService } from './harness/spec-only-service.ts';
import { BROWSERS_FOR_PAGES } from './harness/world.ts';

// Tests a service that only follows the specification. Browsers differ in their treatment of broken or missing
// responses, and may resend requests silently. Unit tests check the other responses, such as error statuses and
// refused URLs.

/** Faults after which a link may exist. The extension resends such a request only if the user decides so. */
const UNDECIDED: Manner[] = ['drop-before', 'drop-after', 'empty'];

describe.each(BROWSERS_FOR_PAGES)('$name', ({ startBrowser }) => {
  let browser: BrowserUnderTest;
  let service: SpecOnlyService;
  let popup: BrowserPage;

  beforeAll(async () => {
    [browser, service] = await Promise.all([startBrowser(), startSpecOnlyService()]);
    const options = await browser.openExtensionPage('options');
    await connectOn(options, formatConnectionLink(service));
    await options.getByText("doesn't identify itself as a link shortener").first().waitFor();
    await options.close();
    popup = await browser.openExtensionPage('popup');
  });
  afterAll(async () => {
    await browser?.kill();
    await service?.close();
  });

  test('connecting needs only the specification, and each request follows a second after the previous response', async () => {
    await shortenOther(popup, 'https://www.example.com/here');
    expect(await resultIn(popup)).toBe(`${new URL(service.baseUrl).host}/s1`);
    for (const name of ['a', 'b']) {
      await popup.getByRole('button', { name: 'Back to this page' }).click();
      await shortenOther(popup, `https://www.example.com/${name}`);
    }
    await expect.poll(() => service.made.length, { timeout: 30_000 }).toBe(3);
    expect(service.received).toHaveLength(3);
    for (const [index, { at }] of service.received.slice(1).entries()) {
      expect(at - (service.received[index]?.answeredAt ?? Number.NaN)).toBeGreaterThanOrEqual(1000);
    }
    await resultIn(popup);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
  });

  test.each(UNDECIDED)(
    'after the fault "%s" on a kept-alive connection, the request is sent again only if the user decides so',
    async (manner) => {
      const url = `https://www.example.com/${manner}`;
      const received = () => service.received.filter((one) => one.url === url).length;
      // The request before the fault is recent, because servers keep idle connections open only briefly.
      await shortenOther(popup, `https://www.example.com/before-${manner}`);
      await resultIn(popup);
      await popup.getByRole('button', { name: 'Back to this page' }).click();
      service.manner = manner;
      await shortenOther(popup, url);
      const target = popup.getByRole('region', { name: 'What to shorten' });
      await target.getByText('This link may already exist. Sending it again may create a second one.').waitFor();
      expect(received()).toBe(1);

      service.manner = 'right';
      await popup.getByRole('button', { name: 'Send again', exact: true }).click();
      await resultIn(popup);
      expect(received()).toBe(2);
      expect(service.made.at(-1)).toBe(url);
      await popup.getByRole('button', { name: 'Back to this page' }).click();
    },
  );
});
