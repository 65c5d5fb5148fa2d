import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { openExtensionPage } from './harness/pages.ts';
import { givenChromium } from './harness/world.ts';

/** Leaves the database as a newer version of the extension would. */
async function fromNewerVersion(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const open = indexedDB.open('terse', 99);
        open.onsuccess = () => {
          open.result.close();
          resolve();
        };
        open.onerror = () => reject(open.error);
      }),
  );
}

test('no page is blank where a newer version has written the data: each says so, and tries again', async () => {
  const browser = await givenChromium();
  await fromNewerVersion(await openExtensionPage(browser, 'options'));
  for (const name of ['popup', 'options', 'links'] as const) {
    const page = await openExtensionPage(browser, name);
    await page.getByText('It was written by a newer version of Terse.').waitFor();
    const reloaded = page.waitForEvent('domcontentloaded');
    await page.getByRole('button', { name: 'Try again' }).click();
    await reloaded;
    await page.getByText('VersionError').waitFor();
  }
});
