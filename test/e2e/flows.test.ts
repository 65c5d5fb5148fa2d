import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Backend, startBackend } from './harness/backend.ts';
import type { BrowserUnderTest } from './harness/browser-under-test.ts';
import { BROWSERS } from './harness/browsers.ts';
import { connectOn, resultIn, shortenOther } from './harness/person.ts';
import { type Site, startSite } from './harness/site.ts';
import { targetOf } from './harness/target-of.ts';
import { HOST } from './harness/world.ts';

// What a person does, in both browsers. One story: each test goes on where the one before it ended.

describe.each(BROWSERS)('$name', ({ startBrowser }) => {
  let backend: Backend;
  let site: Site;
  let browser: BrowserUnderTest;
  beforeAll(async () => {
    [backend, site, browser] = await Promise.all([
      startBackend({ TERSE_THROTTLE: '100', TERSE_DAILY_QUOTA: '1000' }),
      startSite(),
      startBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.kill();
    await Promise.all([backend?.kill(), site?.close()]);
  });

  /** The address of a page of the site, by its public name. */
  const page = (path: string) => `http://${HOST}:${site.port}${path}`;

  test('a pasted connection link connects', async () => {
    const options = await browser.openExtensionPage('options');
    await connectOn(options, backend.connectionLink);
    await options.close();
  });

  test('the popup shortens the page and copies at once', async () => {
    const tab = await browser.openTab(page('/river?title=How+to+read+a+river'));
    const popup = await browser.openPopup(tab);
    await popup.getByRole('heading', { name: 'How to read a river' }).waitFor();
    await popup.getByRole('button', { name: 'Shorten this page' }).click();
    const shortUrl = await resultIn(popup);
    await popup.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await popup.close();
    const copied = await browser.clipboard();
    expect(copied).toBe(`http://${shortUrl}`);
    expect(await targetOf(copied)).toBe(page('/river?title=How+to+read+a+river'));
    await tab.close();
  });

  test('Enter alone is enough, and the next popup over the page shows its link again', async () => {
    const tab = await browser.openTab(page('/enter'));
    const popup = await browser.openPopup(tab);
    await popup.getByRole('button', { name: 'Shorten this page' }).waitFor();
    await popup.keyboard.press('Enter');
    const shortUrl = await resultIn(popup);
    await popup.close();
    const later = await browser.openPopup(tab);
    expect(await resultIn(later)).toBe(shortUrl);
    await later.close();
    await tab.close();
    expect(backend.links().at(-1)).toBe(page('/enter'));
  });

  test('an address that was copied is pasted anywhere into the popup, and Enter shortens it', async () => {
    await browser.copyElsewhere('See https://www.example.com/pasted.');
    const popup = await browser.openExtensionPage('popup');
    await popup.getByLabel('Any other URL').waitFor();
    await popup.evaluate('document.activeElement?.blur()');
    await popup.keyboard.press('Control+v');
    await expect.poll(() => popup.getByLabel('Any other URL').inputValue()).toBe('https://www.example.com/pasted');
    await popup.keyboard.press('Enter');
    await resultIn(popup);
    await popup.close();
    expect(backend.links().at(-1)).toBe('https://www.example.com/pasted');
  });

  test('with the background killed any other URL is shortened', async () => {
    const popup = await browser.openExtensionPage('popup');
    await browser.killBackground();
    expect(await browser.isBackgroundAwake()).toBe(false);
    await shortenOther(popup, 'www.example.com/typed');
    await resultIn(popup);
    await popup.close();
    expect(backend.links().at(-1)).toBe('https://www.example.com/typed');
  });
});
