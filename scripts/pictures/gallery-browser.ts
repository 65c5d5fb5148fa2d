import { resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { openGallery } from '../../test/gallery/look/server.ts';
import { requireChromium } from '../browsers/find.ts';

/** A browser tab, and the gallery in test/gallery, which shows every state of the extension's pages. */
export interface GalleryBrowser {
  page: Page;
  /** Base address of the gallery's pages. */
  address: string;
  close(): Promise<void>;
}

/** Builds the gallery and starts a browser for screenshots. The pages and the texts on them stand still. */
export async function openGalleryBrowser(deviceScaleFactor: number): Promise<GalleryBrowser> {
  const gallery = await openGallery(resolve('.cache/gallery'));
  const browser = await chromium.launch({ executablePath: requireChromium(), chromiumSandbox: false });
  const page = await browser.newPage({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    deviceScaleFactor,
  });
  page.on('console', (message) => message.type() === 'error' && console.error(`  console: ${message.text()}`));
  return {
    page,
    address: gallery.address,
    async close() {
      await browser.close();
      await gallery.close();
    },
  };
}
