import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backend, startBackend } from '../harness/backend.ts';
import { type Browser, launchChromium } from '../harness/chromium.ts';
import { type Display, openDisplay } from '../harness/display.ts';
import { SHIPPED } from '../harness/extension-copy.ts';
import { openExtensionPage, openTab, popupWindow } from '../harness/pages.ts';
import { allowPermission } from '../harness/permission-dialog.ts';
import { resultIn } from '../harness/person.ts';
import { type Site, startSite } from '../harness/site.ts';
import { targetOf } from '../harness/target-of.ts';
import { killWorker, worker } from '../harness/worker.ts';

// The extension exactly as it ships, in a window, with a keyboard and a mouse: what a person meets who connects it and
// uses it for the first time. One story: each test goes on where the one before it ended.

const HOST = 'news.example';

let display: Display;
let backend: Backend;
let site: Site;
let browser: Browser;

beforeAll(async () => {
  [display, backend, site] = await Promise.all([openDisplay(), startBackend({ TERSE_THROTTLE: '100' }), startSite()]);
  browser = await launchChromium({ extension: SHIPPED.chrome, hosts: [HOST], display: display.name });
});
afterAll(async () => {
  await browser?.kill();
  await Promise.all([display?.close(), backend?.kill(), site?.close()]);
});

/** The address of a page of the site: a host that the extension has no permission for. */
const page = (path: string) => `http://${HOST}:${site.port}${path}`;

const grantedOrigins = async () => {
  const options = await openExtensionPage(browser, 'options');
  const { origins } = await options.evaluate(() => chrome.permissions.getAll());
  await options.close();
  return origins;
};

test('connecting asks the browser for the service alone', async () => {
  expect(await grantedOrigins()).toEqual([]);
  const options = await openExtensionPage(browser, 'options');
  await options.getByLabel('Service address').fill(backend.connectionLink);
  await options.getByRole('button', { name: 'Connect', exact: true }).click();
  await allowPermission(display, options, backend.baseUrl);
  await options.getByText('Connected. You can shorten from now on.').waitFor();
  expect(await grantedOrigins()).toEqual(['http://127.0.0.1/*']);
});

test('shortcut, Enter, paste: the keyboard alone shortens a page the extension may not read', async () => {
  await openTab(browser, page('/by-keyboard?title=By+keyboard'));
  display.press('alt+shift+u');
  const popup = await popupWindow(browser);
  await popup.getByRole('heading', { name: 'By keyboard' }).waitFor();
  await popup.getByRole('button', { name: 'Shorten this page' }).waitFor();
  display.press('Return');
  const shortUrl = `http://${await resultIn(popup)}`;
  await popup.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(display.clipboard()).toBe(shortUrl);
  expect(backend.links()).toEqual([page('/by-keyboard?title=By+keyboard')]);
  display.press('Escape');
});

test('the shortcut for "shorten this page" copies, shows it, and wakes a dead worker', async () => {
  await openTab(browser, page('/by-shortcut'));
  await killWorker(browser);
  display.press('alt+shift+l');
  await expect.poll(() => backend.links().at(-1), { timeout: 30_000 }).toBe(page('/by-shortcut'));
  await expect.poll(() => targetOf(display.clipboard()), { timeout: 30_000 }).toBe(page('/by-shortcut'));
  await closePopup();
});

/** What a menu or the shortcut asked for opens the popup: it is put away before the next key or click, which it would take. */
async function closePopup(): Promise<void> {
  const popup = await popupWindow(browser);
  await resultIn(popup);
  const closed = popup.waitForEvent('close');
  display.press('Escape');
  await closed;
}

/** Where to right-click on the site's page, and how many keys up from its menu's end the extension's item is. */
const MENUS = [
  { what: 'a page', x: 600, y: 500, up: 3, made: () => page('/by-menu') },
  { what: 'a link', x: 40, y: 107, up: 2, made: () => page('/linked?from=link') },
];

test.each(MENUS)('the context menu of $what shortens it with the worker dead', async ({ x, y, up, made }) => {
  await openTab(browser, page('/by-menu'));
  await killWorker(browser);
  expect(await worker(browser)).toBeUndefined();
  await display.openMenu(x, y);
  display.press(...Array(up).fill('Up'), 'Return');
  await expect.poll(() => backend.links().at(-1), { timeout: 30_000 }).toBe(made());
  await expect.poll(() => targetOf(display.clipboard()), { timeout: 30_000 }).toBe(made());
  await closePopup();
});

test('a forgotten connection gives its permission back', async () => {
  const options = await openExtensionPage(browser, 'options');
  await options.getByRole('button', { name: 'Forget connection' }).click();
  await options.getByRole('dialog').getByRole('button', { name: 'Forget connection' }).click();
  await expect.poll(() => options.getByLabel('Service address').inputValue()).toBe('');
  expect(await grantedOrigins()).toEqual([]);
  const popup = await openExtensionPage(browser, 'popup');
  expect(await popup.getByLabel('Any other URL').count()).toBe(0);
});
