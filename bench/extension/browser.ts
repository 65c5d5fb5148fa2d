import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chromium } from '../../scripts/browsers/chromium.ts';
import { targets } from '../../scripts/browsers/targets.ts';
import { openPiped, type PipedPage, startWithoutDriver } from '../../test/e2e/harness/chromium.ts';
import { SHIPPED, tempFolder, WELCOME, withLoopbackGranted } from '../../test/e2e/harness/folders.ts';
import { until } from '../../test/e2e/harness/until.ts';

/** Starts a headless Chromium with a new profile and one extension. The host names in `hosts` resolve to loopback. */
export async function startBrowser(extension: string, hosts: string[] = []): Promise<Chromium> {
  const chromium = await startWithoutDriver(extension, { hosts });
  const { cdp } = chromium;
  // Closes the welcome page as soon as it opens. Otherwise, it would later hide the measured tab, and the browser
  // does not paint hidden tabs.
  if (existsSync(join(extension, WELCOME))) {
    const welcome = async () => (await targets(cdp)).find(({ url }) => url.includes(WELCOME));
    const { targetId } = await until('the page for a new person', welcome);
    await cdp.send('Target.closeTarget', { targetId });
  }
  return chromium;
}

/** Opens a page of the measured extension by its path. */
export function openPage(browser: Chromium, path: string): Promise<PipedPage> {
  return openPiped(browser, `chrome-extension://${browser.extensionId}/${path}`);
}

/**
 * Path of an empty page that is added to the measured extension. Benchmarks run their scripts in this page or compare
 * other pages with it.
 */
export const EMPTY_PAGE = 'empty.html';

/** Creates a copy of the built extension that has an empty page and permission to access loopback addresses. */
export function benchedExtension(): string {
  const folder = withLoopbackGranted(SHIPPED.chrome);
  writeFileSync(join(folder, EMPTY_PAGE), EMPTY_HTML);
  return folder;
}

/** Creates the smallest possible extension: an empty page, and a background worker that answers no message. */
export function tinyExtension(): string {
  const folder = join(tempFolder('tiny'), 'extension');
  mkdirSync(folder);
  const manifest = { manifest_version: 3, name: 'Tiny', version: '1', background: { service_worker: 'worker.js' } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, EMPTY_PAGE), EMPTY_HTML);
  writeFileSync(join(folder, 'worker.js'), 'chrome.runtime.onMessage.addListener(() => {});');
  return folder;
}

const EMPTY_HTML = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><p>Empty.</p></html>';
