import { describe, expect, test } from 'vitest';
import { BROWSERS } from './harness/browsers.ts';
import { connectOn, resultIn, shortenOther } from './harness/person.ts';
import { tellStory } from './harness/story.ts';

// The browser deletes the stored data, or a newer version changes it, while the extension runs. Browsers report both
// events to an open database differently.

/** Script that leaves the database as a newer version of the extension would. */
const FROM_NEWER_VERSION = `new Promise((resolve, reject) => {
  const open = indexedDB.open('terse', 99);
  open.onsuccess = () => {
    open.result.close();
    resolve();
  };
  open.onerror = () => reject(open.error);
})`;

describe.each(BROWSERS)('$name', (kind) => {
  const story = tellStory(kind);

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
    expect(backend.links()).toEqual(['https://www.example.com/before', 'https://www.example.com/after']);
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
