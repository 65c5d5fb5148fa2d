import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backend, startBackend } from '../harness/backend.ts';
import { type Display, openDisplay } from '../harness/display.ts';
import { SHIPPED } from '../harness/extension-copy.ts';
import { type Firefox, launchFirefox, paste } from '../harness/firefox.ts';
import { type Site, startSite } from '../harness/site.ts';
import { targetOf } from '../harness/target-of.ts';

// Keys that a person presses in a window of Firefox, where the browser's own menus hear some of them first.

const HOST = 'news.example';

let display: Display;
let backend: Backend;
let site: Site;
let firefox: Firefox;
beforeAll(async () => {
  [display, backend, site] = await Promise.all([openDisplay(), startBackend({ TERSE_THROTTLE: '100' }), startSite()]);
  firefox = await launchFirefox({ extension: SHIPPED.firefox, hosts: [HOST], display: display.name });
  const options = await firefox.openExtensionPage('options');
  await paste(options, '#address', backend.connectionLink);
  await options.locator('::-p-aria([name="Connect"][role="button"])').click();
  await options.locator('::-p-text(Connected. You can shorten from now on.)').wait();
});
afterAll(async () => {
  await firefox?.close();
  await Promise.all([display?.close(), backend?.kill(), site?.close()]);
});

const page = (path: string) => `http://${HOST}:${site.port}${path}`;

test('Alt+Shift+L shortens the page in front and copies', async () => {
  await firefox.openTab(page('/by-keys'));
  display.click(600, 500);
  display.press('alt+shift+l');
  await expect.poll(() => backend.links(), { timeout: 30_000 }).toEqual([page('/by-keys')]);
  await expect.poll(() => targetOf(display.clipboard()), { timeout: 30_000 }).toBe(page('/by-keys'));
});

test('Alt+Shift+U opens the popup', async () => {
  // A page of the extension sees its popups.
  const witness = await firefox.openExtensionPage('links');
  const isOpen = () => witness.evaluate("browser.extension.getViews({ type: 'popup' }).length > 0");
  display.press('Escape');
  await expect.poll(isOpen).toBe(false);
  const tab = await firefox.openTab(page('/by-popup'));
  await tab.bringToFront();
  display.click(600, 500);
  display.press('alt+shift+u');
  await expect.poll(isOpen, { timeout: 30_000 }).toBe(true);
});
