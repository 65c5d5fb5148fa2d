import { describe, expect, test } from 'vitest';
import { callApi, targetOf } from './harness/backend.ts';
import { connectOn, resultIn, shortenOther } from './harness/person.ts';
import { storedData } from './harness/stored-data.ts';
import { until } from './harness/until.ts';
import { BROWSERS, BROWSERS_FOR_PAGES, tellStory } from './harness/world.ts';

/**
 * An internal page of each browser, and the popup's message for this page. Chromium does not even reveal the page's
 * URL to extensions.
 */
const OWN_PAGE = {
  Chromium: { url: 'chrome://version/', why: "The browser doesn't share this page's address." },
  Firefox: { url: 'about:license', why: "Browser pages can't be shortened." },
};

/** Page without a title. */
const UNTITLED = '/enter?title=';

/** Script that leaves the database as a newer version of the extension would. */
const FROM_NEWER_VERSION = `new Promise((resolve, reject) => {
  const open = indexedDB.open('terse-data', 99);
  open.onsuccess = () => {
    open.result.close();
    resolve();
  };
  open.onerror = () => reject(open.error);
})`;

describe.each(BROWSERS)('$name', (kind) => {
  const story = tellStory(kind);

  test('the popup shortens the page and copies the short URL, which leads to the page', async () => {
    const { backend, browser, page } = story;
    const tab = await browser.openTab(page('/river?title=How+to+read+a+river'));
    const popup = await browser.openPopup(tab);
    await popup.getByRole('heading', { name: 'How to read a river' }).waitFor();
    await popup.getByRole('button', { name: 'Shorten this page' }).click();
    const shortUrl = await resultIn(popup);
    await popup.getByText('Copied', { exact: true }).waitFor();
    await popup.close();
    const copied = await browser.clipboard();
    expect(copied).toBe(`http://${shortUrl}`);
    expect(copied).toMatch(new RegExp(`^${backend.shortBaseUrl}/\\w{7}$`));
    expect(await targetOf(copied)).toBe(page('/river?title=How+to+read+a+river'));
    await tab.close();
  });

  test('Enter alone shortens the page, and the next popup over the page shows the link again', async () => {
    const { backend, browser, page } = story;
    const tab = await browser.openTab(page(UNTITLED));
    const popup = await browser.openPopup(tab);
    await popup.getByRole('button', { name: 'Shorten this page' }).waitFor();
    await popup.keyboard.press('Enter');
    const shortUrl = await resultIn(popup);
    await popup.close();
    const later = await browser.openPopup(tab);
    expect(await resultIn(later)).toBe(shortUrl);
    // The browser reports the URL as the title of a page without a title.
    expect((await storedData(later)).links).toContainEqual(expect.objectContaining({ url: page(UNTITLED), title: '' }));
    await later.getByRole('button', { name: 'QR code' }).click();
    await later.getByRole('img', { name: shortUrl }).waitFor();
    await later.close();
    await tab.close();
    expect(backend.links().at(-1)).toBe(page(UNTITLED));
  });

  test('any other URL can be typed while the background sleeps', async () => {
    const { backend, browser } = story;
    const popup = await browser.openExtensionPage('popup');
    // While the page is opening, its messages may still wake the background worker, so kill the worker until it stays
    // asleep.
    await until('the background to stay asleep', async () => {
      await browser.killBackground();
      return !(await browser.isBackgroundAwake());
    });
    await shortenOther(popup, 'www.example.com/typed');
    await resultIn(popup);
    await popup.close();
    expect(backend.links().at(-1)).toBe('https://www.example.com/typed');
  });

  test('an internal page of the browser and a short URL of the service are refused with a reason', async () => {
    const { backend, browser } = story;
    const before = backend.links();
    const { url, why } = OWN_PAGE[browser.name];
    const tab = await browser.openTab(url);
    const popup = await browser.openPopup(tab);
    await popup.getByText(why).waitFor();
    expect(await popup.getByRole('button', { name: 'Shorten this page' }).count()).toBe(0);
    await shortenOther(popup, `${backend.shortBaseUrl}/abc`);
    await popup.getByText('This is already one of your short URLs.').waitFor();
    await popup.close();
    await tab.close();
    expect(backend.links()).toEqual(before);
  });

  // Flows of pages work the same in each browser.
  if (BROWSERS_FOR_PAGES.includes(kind)) {
    test('a popup that was closed before the link arrived copies the link when it is opened again', async () => {
      const { backend, browser, page } = story;
      const tab = await browser.openTab(page('/late'));
      await backend.stop();
      const popup = await browser.openPopup(tab);
      await popup.getByRole('button', { name: 'Shorten this page' }).click();
      await popup.getByText("The server can't be reached.").first().waitFor();
      await popup.close();

      const later = await browser.openPopup(tab);
      await later.getByText("The server can't be reached.").first().waitFor();
      await backend.start();
      await later.getByText('Copied', { exact: true }).waitFor({ timeout: 60_000 });
      const shown = await resultIn(later);
      await later.close();
      expect(await browser.clipboard()).toBe(`http://${shown}`);
      await tab.close();
    });

    test('“Customize” gives a link a code, a title and an expiry, and removes tracking parameters', async () => {
      const { backend, browser, page } = story;
      const tab = await browser.openTab(page('/otter?utm_source=news'));
      const popup = await browser.openPopup(tab);
      await popup.getByRole('button', { name: 'Customize' }).click();
      await popup.getByLabel('Remove tracking').check();
      await popup.getByLabel('Short code').fill('otters');
      await popup.getByLabel('Title').fill('About otters');
      await popup.getByLabel('Tags').fill('Otters، long reads');
      await popup.getByLabel('Expires').selectOption('In 1 week');
      await popup.getByRole('button', { name: 'Shorten this page' }).click();
      expect(`http://${await resultIn(popup)}`).toBe(`${backend.shortBaseUrl}/otters`);
      await popup.close();
      await tab.close();

      const { url, title, tags, expiresAt } = (await callApi(backend, 'GET', 'urls/otters')).json;
      expect({ url, title, tags }).toEqual({
        url: page('/otter'),
        title: 'About otters',
        tags: ['Otters', 'long reads'],
      });
      const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(6.9);
      expect(days).toBeLessThan(7.1);

      const links = await browser.openExtensionPage('links');
      await links.getByText('long reads', { exact: true }).click();
      await links.getByText('1 link', { exact: true }).waitFor();
      expect(await links.locator('.link-title').textContent()).toBe('About otters');
      expect(await links.getByLabel('Search links').inputValue()).toBe('#long reads');
      await links.close();
    });
  }

  // The browser deletes the stored data, or a newer version changes it, while the extension runs. Browsers report both
  // events to an open database differently. No later test can use this profile.

  test('a running background continues after the browser has deleted its data', async () => {
    const { backend, browser } = story;
    const popup = await browser.openExtensionPage('popup');
    await shortenOther(popup, 'https://www.example.com/before');
    await resultIn(popup);
    await browser.inBackground('void (globalThis.isTheSame = true)');

    await browser.clearDatabase();
    const options = await browser.openExtensionPage('options');
    await connectOn(options, backend.connectionLink);
    await options.close();
    await popup.reload();
    await shortenOther(popup, 'https://www.example.com/after');
    await resultIn(popup);
    expect(backend.links().slice(-2)).toEqual(['https://www.example.com/before', 'https://www.example.com/after']);
    expect(await browser.inBackground('globalThis.isTheSame')).toBe(true);
    await popup.close();
  });

  test('no page is empty after a newer version has changed the data: each shows a message and tries again', async () => {
    const { browser } = story;
    const page = await browser.openExtensionPage('options');
    await page.evaluate(FROM_NEWER_VERSION);
    await page.close();
    for (const name of ['popup', 'options', 'links'] as const) {
      const page = await browser.openExtensionPage(name);
      await page.getByText('The data was written by a newer version of Terse.').waitFor();
      await page.evaluate('void (globalThis.isBefore = true)');
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => page.evaluate('globalThis.isBefore').catch(() => true)).toBeUndefined();
      await page.getByText('VersionError').waitFor();
      await page.close();
    }
  });
});
