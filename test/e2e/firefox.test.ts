import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backend, startBackend } from './harness/backend.ts';
import { SHIPPED } from './harness/extension-copy.ts';
import { type Firefox, launchFirefox, paste } from './harness/firefox.ts';
import { type Site, startSite } from './harness/site.ts';
import { targetOf } from './harness/target-of.ts';

// The same extension in the other browser. One story: each test goes on where the one before it ended.

const HOST = 'news.example';

let backend: Backend;
let site: Site;
let firefox: Firefox;
beforeAll(async () => {
  [backend, site] = await Promise.all([startBackend({ TERSE_THROTTLE: '100' }), startSite()]);
  firefox = await launchFirefox({ extension: SHIPPED.firefox, hosts: [HOST] });
});
afterAll(async () => {
  await firefox?.close();
  await Promise.all([backend?.kill(), site?.close()]);
});

/** The short URL of a link, not of a request that waits and has its own already. */
const RESULT = '.result:not(.is-waiting) .result-url';

/** Every site that the extension may reach. */
const allowedOrigins = (options: Page) => options.evaluate('browser.permissions.getAll().then((all) => all.origins)');
const page = (path: string) => `http://${HOST}:${site.port}${path}`;

test('a service that was only tested is not kept a permission for', async () => {
  const options = await firefox.openExtensionPage('options');
  await paste(options, '#address', backend.connectionLink);
  await options.locator('::-p-aria([name="Test connection"][role="button"])').click();
  await options.locator('::-p-text(The service answers.)').wait();
  await expect.poll(() => allowedOrigins(options)).toEqual([]);
});

test('connects through the options page', async () => {
  const options = await firefox.openExtensionPage('options');
  await paste(options, '#address', backend.connectionLink);
  await options.locator('::-p-aria([name="Connect"][role="button"])').click();
  await options.locator('::-p-text(Connected. You can shorten from now on.)').wait();
  expect(await allowedOrigins(options)).toEqual(['http://127.0.0.1/*']);
});

test('the popup over a page shortens it', async () => {
  await firefox.openTab(page('/firefox?title=Hello'));
  const popup = await firefox.openPopup();
  await expect.poll(() => popup.evaluate("popup.document.querySelector('.target-title').textContent")).toBe('Hello');
  await popup.evaluate("popup.document.querySelector('.state button').click()");
  await expect.poll(() => popup.evaluate(`popup.document.querySelector('${RESULT}')?.textContent`)).toMatch(/\/\w{7}$/);
  expect(backend.links()).toEqual([page('/firefox?title=Hello')]);
  await popup.close();
});

test('with the event page killed it shortens again', async () => {
  await firefox.killBackground();
  expect(await firefox.isBackgroundAwake()).toBe(false);
  const popup = await firefox.openExtensionPage('popup');
  await paste(popup, '#other-url', 'https://www.example.com/after');
  await popup.locator('::-p-aria([name="Shorten"][role="button"])').click();
  await expect.poll(() => backend.links().at(-1)).toBe('https://www.example.com/after');
  await popup.locator(RESULT).wait();
});

test('the context menu shortens with the event page killed, and copies', async () => {
  const tab = await firefox.openTab(page('/by-menu'));
  await firefox.killBackground();
  await firefox.chooseFromMenu(tab, 300, 300, 'Shorten this page');
  await expect.poll(() => backend.links().at(-1)).toBe(page('/by-menu'));
  await expect.poll(async () => targetOf(await firefox.clipboard())).toBe(page('/by-menu'));
});
