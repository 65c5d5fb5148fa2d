import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { painted, readQr } from '../unit/support/read-qr.ts';
import type { BrowserPage } from './harness/browser-under-test.ts';
import { SHIPPED } from './harness/extension-copy.ts';
import { launchFirefox } from './harness/firefox/firefox.ts';
import { openExtensionPage, openTab } from './harness/pages.ts';
import { givenChromium, givenSite } from './harness/world.ts';

// Chromium runs all tests, because it can switch color schemes. Firefox tests only the canvas and downloads, because
// headless Firefox cannot copy images.

const SHORT = 'https://go.example/Kx3f9Qp';
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

async function saved(links: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    links.waitForEvent('download'),
    links.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const sidesOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('in Chromium a decoder reads a QR code from the screen, the clipboard and every file, even for the longest short URL', async () => {
  const [browser, site] = await Promise.all([givenChromium(), givenSite()]);
  const links = await openExtensionPage(browser, 'links');
  await putLinks(links, [SHORT, LONGEST]);
  await browser.context.grantPermissions(['clipboard-read'], { origin: site.origin });
  for (const shortUrl of [SHORT, LONGEST]) {
    await links.bringToFront();
    await links.getByRole('button', { name: `More actions for ${shortUrl}` }).click();
    await links.getByRole('menuitem', { name: 'QR code' }).click();
    const dialog = links.getByRole('dialog');
    const expected = [{ text: shortUrl }];

    for (const colorScheme of ['light', 'dark'] as const) {
      await links.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      if (shortUrl === SHORT) expect(await readQr(await dialog.locator('.qr').screenshot())).toMatchObject(expected);
      const png = await saved(links, 'Save as PNG');
      expect(sidesOf(png.bytes)).toEqual([1024, 1024]);
      expect(await readQr(png.bytes)).toMatchObject(expected);
    }
    const svg = await saved(links, 'Save as SVG');
    expect(await readQr(painted(svg.bytes.toString(), 1024))).toMatchObject(expected);
    if (shortUrl === SHORT) expect(svg.name).toBe('qr-go.example-Kx3f9Qp.svg');

    await dialog.getByRole('button', { name: 'Copy image' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await readQr(await clipboardPng(await openTab(browser, site.origin)))).toMatchObject(expected);
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
});

/** Returns the image on the clipboard, read by the page in front. */
async function clipboardPng(page: Page): Promise<Buffer> {
  const text = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await item?.getType('image/png');
    const bytes = new Uint8Array((await picture?.arrayBuffer()) ?? new ArrayBuffer());
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  });
  await page.close();
  return Buffer.from(text, 'latin1');
}

test('in Firefox a decoder reads a QR code from every file', async () => {
  const firefox = await launchFirefox({ extension: SHIPPED.firefox });
  onTestFinished(() => firefox.kill());
  const links = await firefox.openExtensionPage('links');
  await putLinks(links, [SHORT, LONGEST]);
  for (const shortUrl of [SHORT, LONGEST]) {
    await links.getByRole('button', { name: `More actions for ${shortUrl}` }).click();
    await links.getByRole('menuitem', { name: 'QR code' }).click();
    const expected = [{ text: shortUrl }];
    const save = (name: string) => firefox.saved(links, () => links.getByRole('button', { name }).click());
    const png = await save('Save as PNG');
    expect(sidesOf(png)).toEqual([1024, 1024]);
    expect(await readQr(png)).toMatchObject(expected);
    expect(await readQr(painted((await save('Save as SVG')).toString(), 1024))).toMatchObject(expected);
    await links.getByRole('button', { name: 'Close' }).click();
  }
});
