import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ExtensionPage } from './harness/browser-under-test.ts';
import { launchFirefox } from './harness/firefox/firefox.ts';
import { SHIPPED, withLoopbackGranted } from './harness/folders.ts';
import { clickAndLeave, connectOn, resultIn, shortenOther } from './harness/person.ts';
import { givenBackend } from './harness/world.ts';

// This test runs only in Firefox, because Chromium for Android does not support extensions.

/** APIs that Firefox for Android does not support, according to MDN's compatibility table. */
const MISSING = ['contextMenus', 'menus', 'commands', 'omnibox', 'windows', 'notifications'];
const MISSING_METHODS = { action: ['openPopup', 'getUserSettings'], tabs: ['highlight', 'onHighlighted'] };

/**
 * Script that runs first in each page and in the background worker. It removes the missing APIs and records later
 * errors.
 */
const TAKEN_AWAY = `
  for (const api of [browser, chrome]) {
    for (const name of ${JSON.stringify(MISSING)}) Object.defineProperty(api, name, { value: undefined });
    for (const [name, methods] of Object.entries(${JSON.stringify(MISSING_METHODS)}))
      for (const method of methods) if (api[name]) Object.defineProperty(api[name], method, { value: undefined });
  }
  self.thrown = [];
  self.addEventListener('error', (event) => self.thrown.push(String(event.message)));
  self.addEventListener('unhandledrejection', (event) => self.thrown.push(String(event.reason?.stack ?? event.reason)));
`;

/** Returns a build of the extension that removes these APIs before any other code runs. */
function withoutInterfaces(): string {
  const copy = withLoopbackGranted(SHIPPED.firefox);
  const background = join(copy, 'background.js');
  writeFileSync(background, TAKEN_AWAY + readFileSync(background, 'utf8'));
  writeFileSync(join(copy, 'taken-away.js'), TAKEN_AWAY);
  for (const page of readdirSync(join(copy, 'src', 'pages'))) {
    const html = join(copy, 'src', 'pages', page, 'index.html');
    writeFileSync(html, readFileSync(html, 'utf8').replace('<head>', '<head><script src="/taken-away.js"></script>'));
  }
  return copy;
}

const PAGES: ExtensionPage[] = ['popup', 'options', 'links', 'bulk', 'queue', 'welcome'];

test('without the APIs that Firefox for Android lacks, the background starts, every page opens in a tab, and a link is created', async () => {
  const [backend, firefox] = await Promise.all([givenBackend(), launchFirefox({ extension: withoutInterfaces() })]);
  onTestFinished(() => firefox.kill());
  const left = '[browser.contextMenus, chrome.windows, browser.action.openPopup].map((one) => typeof one).join()';
  expect(await firefox.inBackground(left)).toBe('undefined,undefined,undefined');

  const options = await firefox.openExtensionPage('options');
  await connectOn(options, backend.connectionLink);
  await options.close();
  const popup = await firefox.openExtensionPage('popup');
  await shortenOther(popup, 'https://example.com/from-a-telephone');
  await resultIn(popup);
  expect(backend.links()).toHaveLength(1);

  for (const name of PAGES) {
    const page = await firefox.openExtensionPage(name);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    expect(await page.evaluate('self.thrown'), name).toEqual([]);
    await page.close();
  }
  // Firefox for Android has no browser windows, so other pages open as tabs.
  await popup.getByRole('button', { name: 'More' }).click();
  await clickAndLeave(popup.getByRole('menuitem', { name: 'Options' }));
  await firefox.tabAt('/src/pages/options/');
  expect(await firefox.inBackground('self.thrown.join()')).toBe('');
});
