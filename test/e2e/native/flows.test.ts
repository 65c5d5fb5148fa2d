import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Backend, startBackend, targetOf } from '../harness/backend.ts';
import type { BrowserOnScreen, BrowserPage, Point } from '../harness/browser-under-test.ts';
import { type Display, openDisplay } from '../harness/display.ts';
import { type Listening, listen } from '../harness/listen.ts';
import { resultIn } from '../harness/person.ts';
import { startSite } from '../harness/site.ts';
import { BROWSERS, HOST } from '../harness/world.ts';

// Tests the first connection and first use with the unmodified extension, in a window with keyboard and mouse. Each
// test continues where the previous test ended.

interface Menu {
  /** Element or page with the menu. */
  of: string;
  item: string;
  point: Point;
  open(path: string): Promise<BrowserPage>;
  path: string;
  place?: 'frame';
}

describe.each(BROWSERS)('$name', ({ name: kind, startOnScreen }) => {
  let display: Display;
  let backend: Backend;
  let site: Listening;
  let browser: BrowserOnScreen;
  beforeAll(async () => {
    [display, backend, site] = await Promise.all([openDisplay(), startBackend({ TERSE_THROTTLE: '100' }), startSite()]);
    browser = await startOnScreen(display);
  });
  afterAll(async () => {
    await browser?.kill();
    await Promise.all([display?.close(), backend?.kill(), site?.close()]);
  });

  /** Returns the URL of a page on a host for which the extension has no permission. */
  const page = (path: string) => `http://${HOST}:${site.port}${path}`;

  const grantedOrigins = async () => {
    const options = await browser.openExtensionPage('options');
    const origins = await options.evaluate('chrome.permissions.getAll().then(({ origins }) => origins)');
    await options.close();
    return origins;
  };

  const connect = async (link: string) => {
    const options = await browser.openExtensionPage('options');
    await options.getByLabel('Server address').fill(link);
    await options.getByRole('button', { name: 'Connect', exact: true }).click();
    return options;
  };

  test('the permission for a service that refuses the key is removed, unless another page needs it', async () => {
    expect(await grantedOrigins()).toEqual([]);
    const refusal = 'The server does not accept this API key.';
    const answer = Promise.withResolvers<void>();
    const slow = await listen(
      createServer(async ({ url, headers: { authorization = '' } }, response) => {
        await answer.promise;
        const refused = await fetch(backend.baseUrl + url, { headers: { authorization } });
        response.writeHead(refused.status, { 'Content-Type': 'application/json' }).end(await refused.text());
      }),
    );
    const other = await connect(`${slow.origin}/#key=terse_not_a_key`);
    await browser.allowPermission();
    const options = await connect(`${backend.baseUrl}/#key=terse_not_a_key`);
    await options.getByText(refusal).first().waitFor();
    expect(await grantedOrigins()).toEqual(['http://127.0.0.1/*']);
    answer.resolve();
    await other.getByText(refusal).first().waitFor();
    await expect.poll(grantedOrigins).toEqual([]);
    await Promise.all([options.close(), other.close(), slow.close()]);
  });

  test('connecting requests permission only for the service', async () => {
    const options = await connect(backend.connectionLink);
    await browser.allowPermission();
    await options.getByText('Connected. You can shorten links now.').first().waitFor();
    expect(await grantedOrigins()).toEqual(['http://127.0.0.1/*']);
  });

  test('shortcut, Enter, paste: the keyboard alone shortens a page that the extension may not read', async () => {
    const tab = await browser.openTab(page('/by-keyboard?title=By+keyboard'));
    await browser.clickOn(tab, { x: 600, y: 400 });
    display.press('alt+shift+u');
    const popup = await browser.popup();
    await popup.getByRole('heading', { name: 'By keyboard' }).waitFor();
    await popup.getByRole('button', { name: 'Shorten this page' }).waitFor();
    // The browser draws a popup before the popup receives keys.
    await expect
      .poll(() => popup.evaluate('document.hasFocus() && document.activeElement.textContent'))
      .toBe('Shorten this page');
    display.press('Return');
    const shortUrl = `http://${await resultIn(popup)}`;
    await popup.getByText('Copied', { exact: true }).waitFor();
    // The browser passes the text on to the display asynchronously.
    await expect.poll(() => display.clipboard()).toBe(shortUrl);
    expect(backend.links()).toEqual([page('/by-keyboard?title=By+keyboard')]);
    await closePopup();
  });

  test('the shortcut for "shorten this page" copies and shows the link, and wakes a dead background', async () => {
    const tab = await browser.openTab(page('/by-shortcut'));
    await browser.clickOn(tab, { x: 600, y: 400 });
    await browser.killBackground();
    display.press('alt+shift+l');
    await expect.poll(() => backend.links().at(-1), { timeout: 30_000 }).toBe(page('/by-shortcut'));
    await expect.poll(() => targetOf(display.clipboard()), { timeout: 30_000 }).toBe(page('/by-shortcut'));
    await closePopup();
  });

  /** Closes the popup that a menu item or shortcut opened, because the popup would receive the next key or click. */
  async function closePopup(): Promise<void> {
    await resultIn(await browser.popup());
    display.press('Escape');
    await expect.poll(() => browser.isPopupOpen()).toBe(false);
  }

  const text = 'A long sentence about otters, so that the page is an article. '.repeat(60);
  const article = `/article?text=${encodeURIComponent(text)}`;
  const openPage = (path: string) => browser.openTab(page(path));
  const openReader = (path: string) => browser.openTab(`about:reader?url=${encodeURIComponent(page(path))}`);
  const openFrame = async (path: string) => {
    const tab = await openPage(path);
    const frame = '<iframe srcdoc="Text" style="width: 100%; height: 800px"></iframe>';
    await tab.evaluate(`document.body.innerHTML = '${frame}'`);
    // Before the frame has loaded, Chromium shows the menu of the page, which has fewer items.
    await expect.poll(() => tab.evaluate('frames[0].document.body?.textContent')).toBe('Text');
    return tab;
  };
  const SHORTEN_PAGE = { item: 'Shorten this page', point: { x: 600, y: 400 } };
  const MENUS: Menu[] = [
    { of: 'a page', ...SHORTEN_PAGE, open: openPage, path: '/by-menu' },
    { of: 'a link', item: 'Shorten link', point: { x: 40, y: 20 }, open: openPage, path: '/linked?from=link' },
    { of: 'a frame without a URL', ...SHORTEN_PAGE, open: openFrame, path: '/srcdoc', place: 'frame' },
    // Chromium has no reader view.
    ...(kind === 'Firefox' ? [{ of: 'the reader view', ...SHORTEN_PAGE, open: openReader, path: article }] : []),
  ];

  test.each(MENUS)('"$item" in the menu of $of works while the background is dead', async (menu) => {
    const tab = await menu.open(menu.path);
    await browser.killBackground();
    expect(await browser.isBackgroundAwake()).toBe(false);
    await browser.chooseFromMenu(tab, menu.point, menu.item, menu.place);
    await expect.poll(() => backend.links().at(-1), { timeout: 30_000 }).toBe(page(menu.path));
    await expect.poll(() => targetOf(display.clipboard()), { timeout: 30_000 }).toBe(page(menu.path));
    await closePopup();
  });

  test('all lines of a long selection are separate addresses, even without a scheme', async () => {
    const tab = await browser.openTab(page('/lines'));
    await tab.evaluate(`document.body.innerHTML =
      '<div id="lines">' + Array.from({ length: 800 }, (_, i) => '<p>example.com/a-long-path/' + i + '</p>').join('') + '</div>'`);
    await tab.evaluate("getSelection().selectAllChildren(document.querySelector('#lines'))");
    await browser.chooseFromMenu(tab, { x: 40, y: 25 }, 'Shorten selected addresses');
    const many = await browser.tabAt('/src/pages/bulk/');
    await many.getByRole('heading', { name: 'List of 800 addresses' }).waitFor();
    await many.close();
  });

  test('the address bar shortens URLs after its keyword with a dead background, and returns existing links', async () => {
    for (const _time of [1, 2]) {
      const tab = await browser.openTab(page('/elsewhere'));
      await browser.clickOn(tab, { x: 600, y: 400 });
      await browser.killBackground();
      // On a busy machine, the address bar can miss keys.
      const entersAddress = async () => {
        display.press('ctrl+l');
        display.type(`terse ${page('/typed')}`);
        display.press('Return');
        return expect.poll(() => browser.isBackgroundAwake(), { timeout: 5_000 }).toBe(true);
      };
      await entersAddress().catch(entersAddress);
      await expect.poll(() => targetOf(display.clipboard()), { timeout: 30_000 }).toBe(page('/typed'));
      await closePopup();
    }
    expect(backend.links().filter((url) => url === page('/typed'))).toHaveLength(1);
  });

  test('deleting a connection removes its permission', async () => {
    const options = await browser.openExtensionPage('options');
    await options.getByRole('button', { name: 'Connected' }).click();
    await options.getByRole('button', { name: 'Remove', exact: true }).click();
    await options.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => options.getByLabel('Server address').inputValue()).toBe('');
    await expect.poll(grantedOrigins).toEqual([]);
    const popup = await browser.openExtensionPage('popup');
    expect(await popup.getByRole('button', { name: 'Shorten another URL' }).count()).toBe(0);
  });
});
