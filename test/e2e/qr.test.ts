import { expect, onTestFinished, test } from 'vitest';
import { painted, readQr } from '../unit/support/read-qr.ts';
import type { BrowserPage } from './harness/browser-under-test.ts';
import { BROWSERS_FOR_PAGES } from './harness/world.ts';

/** A short URL as long as the longest URL that the extension shortens. */
const LONGEST = `https://go.example/${'aZ0-_'.repeat(500)}`.slice(0, 2_048);

/** Stores links in the history with an old creation date. */
async function putLinks(page: BrowserPage, shortUrls: string[]): Promise<void> {
  const links = shortUrls.map((shortUrl, index) => {
    const url = `https://www.example.com/${index}`;
    const known = { connectionId: null, listId: null, expiresAt: null };
    return { ...known, id: url, url, title: '', shortUrl, createdAt: index };
  });
  await page.evaluate(`(async () => {
    const opened = indexedDB.open('terse-data');
    await new Promise((resolve) => opened.addEventListener('success', resolve));
    const transaction = opened.result.transaction('links', 'readwrite');
    for (const link of ${JSON.stringify(links)}) transaction.objectStore('links').put(link);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    opened.result.close();
  })()`);
  await page.reload();
}

async function openQrCode(links: BrowserPage, shortUrl: string): Promise<void> {
  await links.getByRole('button', { name: `More actions for ${shortUrl}` }).click();
  await links.getByRole('menuitem', { name: 'QR code' }).click();
}

test.each(BROWSERS_FOR_PAGES)(
  'in $name a decoder reads the QR code of the longest short URL from the saved file',
  async (kind) => {
    const browser = await kind.startBrowser();
    onTestFinished(() => browser.kill());
    const links = await browser.openExtensionPage('links');
    await putLinks(links, [LONGEST]);
    await openQrCode(links, LONGEST);
    const svg = await browser.saved(links, () => links.getByRole('button', { name: 'Save as SVG' }).click());
    expect(await readQr(painted(svg.content.toString(), 1024))).toMatchObject([{ text: LONGEST }]);
    expect(svg.name).toMatch(/\.svg$/);
  },
);
