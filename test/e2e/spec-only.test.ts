import { formatConnectionLink } from '@terse/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserPage, BrowserUnderTest } from './harness/browser-under-test.ts';
import { connectAnotherOn, connectOn, resultIn, shortenOther } from './harness/person.ts';
import { type Manner, type SpecOnlyService, startSpecOnlyService } from './harness/spec-only-service.ts';
import { BROWSERS_FOR_PAGES } from './harness/world.ts';

// Tests a service that only follows the specification in both browsers. Browsers differ in their treatment of broken
// or missing responses, and may resend requests silently. Each connection has a separate queue and quota. Unit tests
// check the other responses, such as error statuses and refused URLs.

const MAY_EXIST = 'This link may already exist. Sending it again may create a second one.';

/** URL of the first request. Its timeout of 20 seconds passes while the other tests run. */
const IN_SILENCE = 'https://www.example.com/in-silence';

/** Faults after which a link may exist. The extension resends such a request only if the user decides so. */
const UNDECIDED: Manner[] = ['drop-before', 'drop-after', 'empty'];

describe.each(BROWSERS_FOR_PAGES)('$name', ({ startBrowser }) => {
  const services: SpecOnlyService[] = [];
  let browser: BrowserUnderTest;
  let service: SpecOnlyService;
  let faulty: SpecOnlyService;
  let silent: SpecOnlyService;
  let inSilence: BrowserPage;

  beforeAll(async () => {
    browser = await startBrowser();
    silent = await connectAnother();
    silent.manner = 'hang';
    inSilence = await openPopup(silent);
    await shortenOther(inSilence, IN_SILENCE);
    service = await connectAnother();
    faulty = await connectAnother();
  });
  afterAll(async () => {
    await browser?.kill();
    await Promise.all(services.map((one) => one.close()));
  });

  async function connectAnother(): Promise<SpecOnlyService> {
    const another = await startSpecOnlyService();
    const options = await browser.openExtensionPage('options');
    const connect = services.push(another) > 1 ? connectAnotherOn : connectOn;
    await connect(options, formatConnectionLink(another));
    await options.getByText("doesn't identify itself as a link shortener").first().waitFor();
    await options.close();
    return another;
  }

  async function openPopup({ baseUrl }: SpecOnlyService): Promise<BrowserPage> {
    const popup = await browser.openExtensionPage('popup');
    if (services.length > 1) await popup.getByLabel('Shorten with').selectOption(new URL(baseUrl).host);
    return popup;
  }

  const targetIn = (popup: BrowserPage) => popup.getByRole('region', { name: 'What to shorten' });
  const receivedFor = (url: string, { received }: SpecOnlyService) => received.filter((one) => one.url === url).length;

  test('connecting needs only the specification, and each request follows a second after the previous response', async () => {
    const popup = await openPopup(service);
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
    await popup.close();
  });

  test('a lost response on a kept-alive connection leads to one received request and a question to the user', async () => {
    const url = 'https://www.example.com/lost';
    const popup = await openPopup(service);
    // The request before the fault is recent, because servers keep idle connections open only briefly.
    await shortenOther(popup, 'https://www.example.com/just-before');
    await resultIn(popup);
    await popup.getByRole('button', { name: 'Back to this page' }).click();
    service.manner = 'drop-after';
    await shortenOther(popup, url);
    await targetIn(popup).getByText(MAY_EXIST).waitFor();
    expect(receivedFor(url, service)).toBe(1);
    expect(service.made.filter((one) => one === url)).toHaveLength(1);
    await popup.getByRole('button', { name: `Dismiss: ${url}` }).click();
    await popup.close();
  });

  test.each(UNDECIDED)(
    'after the fault "%s", the request is sent again only if the user decides so',
    async (manner) => {
      const url = `https://www.example.com/${manner}`;
      const popup = await openPopup(faulty);
      faulty.manner = manner;
      await shortenOther(popup, url);
      await targetIn(popup).getByText(MAY_EXIST).waitFor();
      expect(receivedFor(url, faulty)).toBe(1);

      faulty.manner = 'right';
      await popup.getByRole('button', { name: 'Send again', exact: true }).click();
      await resultIn(popup);
      expect(receivedFor(url, faulty)).toBe(2);
      expect(faulty.made.at(-1)).toBe(url);
      await popup.close();
    },
  );

  test('after its timeout, a request without a response waits for the user, who can send it again', async () => {
    await inSilence.bringToFront();
    // An open popup follows the default connection, which other tests have changed.
    await inSilence.getByLabel('Shorten with').selectOption(new URL(silent.baseUrl).host);
    await targetIn(inSilence).getByText(MAY_EXIST).waitFor({ timeout: 60_000 });
    expect(silent.received).toHaveLength(1);
    silent.manner = 'right';
    await inSilence.getByRole('button', { name: 'Send again', exact: true }).click();
    await resultIn(inSilence);
    expect(silent.received).toHaveLength(2);
    expect(silent.made).toEqual([IN_SILENCE]);
    await inSilence.close();
  });
});
