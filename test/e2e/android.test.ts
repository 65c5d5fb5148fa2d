import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHIPPED, withLoopbackGranted } from './harness/extension-copy.ts';
import { type ExtensionPage, extensionUrl, openExtensionPage } from './harness/pages.ts';
import { connect, resultIn, shortenOther } from './harness/person.ts';
import { tempFolder } from './harness/temp.ts';
import { inWorker } from './harness/worker.ts';
import { givenBackend, givenChromium } from './harness/world.ts';

/** What Firefox for Android has none of (MDN's table of support), and Chromium's offscreen documents besides. */
const MISSING = ['contextMenus', 'menus', 'commands', 'omnibox', 'windows', 'notifications', 'offscreen'];
const MISSING_METHODS = { action: ['openPopup', 'getUserSettings'], tabs: ['highlight', 'onHighlighted'] };

/** Runs before anything else in a page or the worker: takes the interfaces away, and writes down what is thrown then. */
const TAKEN_AWAY = `
  for (const name of ${JSON.stringify(MISSING)}) Object.defineProperty(chrome, name, { value: undefined });
  for (const [name, methods] of Object.entries(${JSON.stringify(MISSING_METHODS)}))
    for (const method of methods) if (chrome[name]) Object.defineProperty(chrome[name], method, { value: undefined });
  self.thrown = [];
  self.addEventListener('error', (event) => self.thrown.push(String(event.message)));
  self.addEventListener('unhandledrejection', (event) => self.thrown.push(String(event.reason?.stack ?? event.reason)));
`;

/** The extension as it ships, in a browser that lacks these interfaces from its first line on. */
function withoutInterfaces(): string {
  const copy = tempFolder('android');
  cpSync(withLoopbackGranted(SHIPPED.chrome), copy, { recursive: true });
  const first = join(copy, 'service-worker-loader.js');
  // The worker is a module, whose imports run before its own lines: they are imported in this order.
  cpSync(first, join(copy, 'worker-itself.js'));
  writeFileSync(first, "import './taken-away.js';\nimport './worker-itself.js';\n");
  writeFileSync(join(copy, 'taken-away.js'), TAKEN_AWAY);
  for (const page of readdirSync(join(copy, 'src'))) {
    const html = join(copy, 'src', page, 'index.html');
    writeFileSync(html, readFileSync(html, 'utf8').replace('<head>', '<head><script src="/taken-away.js"></script>'));
  }
  return copy;
}

const PAGES: ExtensionPage[] = ['popup', 'options', 'links', 'many', 'queue-page', 'welcome'];

test('without what Firefox for Android lacks, the worker starts, every page opens in a tab, and a link is made', async () => {
  const backend = await givenBackend();
  const browser = await givenChromium({ extension: withoutInterfaces() });
  const inPage = '[typeof chrome.contextMenus, typeof chrome.windows, typeof chrome.commands].join()';
  expect(await inWorker(browser, inPage)).toBe('undefined,undefined,undefined');

  await connect(browser, backend.connectionLink);
  const popup = await openExtensionPage(browser, 'popup');
  await shortenOther(popup, 'https://example.com/from-a-telephone');
  await resultIn(popup);
  expect(backend.links()).toHaveLength(1);

  for (const name of PAGES) {
    const page = await openExtensionPage(browser, name);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    expect(page.url()).toContain(extensionUrl(browser, name));
    expect(await page.evaluate('self.thrown'), name).toEqual([]);
    await page.close();
  }
  // What other pages open, they open as tabs.
  await popup.getByRole('button', { name: 'Options' }).click();
  await expect
    .poll(() => browser.context.pages().map((page) => page.url()))
    .toContainEqual(expect.stringContaining('/src/options/'));
  expect(await inWorker(browser, 'self.thrown.join()')).toBe('');
});
