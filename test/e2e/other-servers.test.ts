import { formatConnectionLink } from '@terse/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeChhoto } from '../unit/servers/chhoto/fake-chhoto.ts';
import type { FakeServer } from '../unit/servers/conformance/fake-server.ts';
import { FakeKutt } from '../unit/servers/kutt/fake-kutt.ts';
import { FakeShlink } from '../unit/servers/shlink/fake-shlink.ts';
import { FakeSink } from '../unit/servers/sink/fake-sink.ts';
import { FakeYourls } from '../unit/servers/yourls/fake-yourls.ts';
import type { BrowserPage, BrowserUnderTest } from './harness/browser-under-test.ts';
import { BROWSERS } from './harness/browsers.ts';
import { connectAnotherOn, connectOn, resultIn, shortenOther } from './harness/person.ts';

// Uses servers of other kinds in a real browser: connecting, shortening, a lost answer, and the list of links. Unit
// tests check the adapters in detail.

const FAKES: [name: string, newFake: () => FakeServer][] = [
  ['Kutt', () => new FakeKutt()],
  ['YOURLS', () => new FakeYourls()],
  ['Sink', () => new FakeSink()],
  ['Shlink', () => new FakeShlink()],
  ['chhoto-url', () => new FakeChhoto()],
];

const CHROMIUM = BROWSERS.filter(({ name }) => name === 'Chromium');

describe.each(CHROMIUM)('$name', ({ startBrowser }) => {
  const fakes = new Map<string, FakeServer>();
  let browser: BrowserUnderTest;

  beforeAll(async () => {
    browser = await startBrowser();
    for (const [name, newFake] of FAKES) {
      const fake = newFake();
      // The browser uses the real time.
      Object.defineProperty(fake, 'now', { get: () => Date.now() });
      await fake.start();
      fakes.set(name, fake);
    }
  });
  afterAll(async () => {
    await browser?.kill();
    await Promise.all([...fakes.values()].map((fake) => fake.stop()));
  });

  const fakeOf = (name: string): FakeServer => {
    const fake = fakes.get(name);
    if (!fake) throw new Error(`There is no fake of ${name}.`);
    return fake;
  };

  async function openPopup({ baseUrl }: FakeServer): Promise<BrowserPage> {
    const popup = await browser.openExtensionPage('popup');
    if (FAKES.length > 1) await popup.getByLabel('Shorten with').selectOption(new URL(baseUrl).host);
    return popup;
  }

  test('the kind of each server is detected while connecting', async () => {
    const options = await browser.openExtensionPage('options');
    for (const [index, [name]] of FAKES.entries()) {
      const connect = index === 0 ? connectOn : connectAnotherOn;
      await connect(options, formatConnectionLink(fakeOf(name)));
      await options.locator('.connection-head').getByText(name).first().waitFor();
      expect(fakeOf(name).links).toEqual([]);
    }
    await options.close();
  });

  test.each(FAKES)('%s shortens a URL, and has only one link after a lost response', async (name) => {
    const fake = fakeOf(name);
    const popup = await openPopup(fake);
    await shortenOther(popup, 'https://www.example.com/first');
    expect(await resultIn(popup)).toContain(fake.links[0]?.shortCode ?? 'no code');
    await popup.getByRole('button', { name: 'Back to this page' }).click();
    fake.disturbance = 'lost_after';
    await shortenOther(popup, 'https://www.example.com/lost');
    await resultIn(popup);
    await expect.poll(() => fake.disturbance, { timeout: 30_000 }).toBeNull();
    await popup.close();
    const links = await browser.openExtensionPage('links');
    await links.getByText('www.example.com/lost').first().waitFor({ timeout: 60_000 });
    await links.close();
    expect(fake.links.map(({ url }) => url)).toEqual(['https://www.example.com/first', 'https://www.example.com/lost']);
  });

  test.each(FAKES)('the links page lists the links that were created on the web site of %s', async (name) => {
    const fake = fakeOf(name);
    fake.add({ shortCode: 'madeelsewhere', url: `https://www.example.com/elsewhere/${name}` });
    const links = await browser.openExtensionPage('links');
    await links.getByText(`www.example.com/elsewhere/${name}`).first().waitFor();
    await links.close();
  });
});
