import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { targets } from '../../../scripts/browsers/targets.ts';
import type { BrowserOnScreen, BrowserPage, BrowserUnderTest, MenuClick, Point } from './browser-under-test.ts';
import { type Browser, type LaunchOptions, launchChromium } from './chromium.ts';
import { allowPermission, type Display } from './display.ts';
import {
  extensionUrl,
  inWorker,
  isPopupOpen,
  killWorker,
  openExtensionPage,
  openPopup,
  openTab,
  popupWindow,
  type WorkerBrowser,
  worker,
} from './pages.ts';
import { startSite } from './site.ts';
import { until } from './until.ts';

export async function startChromiumUnderTest(options: LaunchOptions): Promise<BrowserUnderTest> {
  let running = await launchChromium(options);
  const { profile } = running;
  return {
    name: 'Chromium',
    profile,
    openTab: (url) => openTab(running, url),
    openExtensionPage: (page) => openExtensionPage(running, page),
    tabAt: (part) => until(`a tab at ${part}`, () => running.context.pages().find((page) => page.url().includes(part))),
    openPopup: (over) => openPopup(running, over as Page),
    popup: () => popupWindow(running),
    isPopupOpen: () => isPopupOpen(running),
    clickMenu: (tab, clicked) => clickMenu(running, tab as Page, clicked),
    async saved(page, save) {
      const [download] = await Promise.all([(page as Page).waitForEvent('download'), save()]);
      return readFile(await download.path());
    },
    clipboard: () => onLoopback((origin) => readClipboard(running, origin)),
    copyElsewhere: (text) => onLoopback((origin) => copyOn(running, origin, text)),
    inBackground: (expression) => inWakenWorker(running, expression),
    killBackground: () => killWorker(running),
    isBackgroundAwake: async () => (await worker(running)) !== undefined,
    async goOffline() {
      // Only an awake background worker can be disconnected.
      await inWakenWorker(running, 'chrome.runtime.getPlatformInfo()');
      return goOffline(running);
    },
    clearDatabase: () => clearDatabase(running),
    allowInPrivateWindows: () => allowInPrivateWindows(running),
    openPrivateWindow: (url) => openPrivateWindow(running, url),
    close: () => running.close(),
    kill: () => running.kill(),
    async start() {
      running = await launchChromium({ ...options, profile });
    },
  };
}

/** Opens a page on loopback, because only pages of secure origins can use the clipboard. */
async function onLoopback<T>(use: (origin: string) => Promise<T>): Promise<T> {
  const site = await startSite();
  return use(site.origin).finally(site.close);
}

async function copyOn(browser: Browser, origin: string, text: string): Promise<void> {
  await browser.context.grantPermissions(['clipboard-write'], { origin });
  const page = await openTab(browser, origin);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.close();
}

/** Wakes the background worker with a message from an extension page, then evaluates an expression in the worker. */
async function inWakenWorker<T>(browser: Browser, expression: string): Promise<T> {
  if (!(await worker(browser))) {
    const page = await openExtensionPage(browser, 'options');
    await until('the worker to wake', () => worker(browser));
    await page.close();
  }
  return inWorker<T>(browser, expression);
}

async function clickMenu(browser: Browser, page: Page, clicked: MenuClick): Promise<void> {
  const tab = { url: page.url(), title: await page.title(), incognito: false };
  // The extension APIs exist before the background worker has run its code, so wait until its listener is registered.
  await until('the worker to register its listener', () =>
    inWakenWorker<boolean>(browser, 'chrome.contextMenus.onClicked.hasListeners()'),
  );
  await inWakenWorker(
    browser,
    `chrome.contextMenus.onClicked.dispatch(${JSON.stringify(clicked)}, ${JSON.stringify(tab)})`,
  );
}

async function clearDatabase(browser: Browser): Promise<void> {
  const page = await openExtensionPage(browser, 'options');
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await page.close();
}

/** Chromium restarts the extension when this setting changes. */
async function allowInPrivateWindows(browser: Browser): Promise<void> {
  const settings = await openTab(browser, 'chrome://extensions/');
  await settings.evaluate(async (extensionId) => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own interface, which has no types.
    const { developerPrivate } = (globalThis as any).chrome;
    // Without developer mode, Chromium does not restart an extension that was not installed from a store.
    await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
    await developerPrivate.updateExtensionConfiguration({ extensionId, incognitoAccess: true });
  }, browser.extensionId);
  await settings.close();
  // After the restart, only an extension page can wake the background worker.
  const page = await until('the extension to restart', () => openExtensionPage(browser, 'options').catch(() => null));
  await page.close();
}

async function openPrivateWindow(browser: Browser, url: string) {
  const create = `chrome.windows.create({ incognito: true, url: ${JSON.stringify(url)} }).then(({ id }) => id)`;
  const id = await inWakenWorker<number>(browser, create);
  const tab = await until('the tab', async () => (await targets(browser.cdp, 'tab')).find((one) => one.url === url));
  await browser.cdp.send('Extensions.triggerAction', { id: browser.extensionId, targetId: tab.targetId });
  const address = extensionUrl(browser, 'popup');
  const popup: BrowserPage = await until('the popup', async () =>
    (await browser.connect()).pages().find((page) => page.url().startsWith(address)),
  );
  return {
    popup,
    async close() {
      await popup.close().catch(() => undefined);
      await inWakenWorker(browser, `chrome.windows.remove(${id}).then(() => true)`);
    },
  };
}

/**
 * Returns the clipboard's text, read by a page of `origin` in a new tab. `origin` is a loopback server, which
 * browsers treat as secure. The new tab closes open popups.
 */
async function readClipboard({ context }: Browser, origin: string): Promise<string> {
  await context.grantPermissions(['clipboard-read'], { origin });
  const page = await context.newPage();
  await page.goto(origin);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.close();
  return text;
}

const OPEN = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/**
 * Disconnects the extension's background worker from every network, including loopback. Returns a function that
 * reconnects the worker.
 */
export async function goOffline(browser: WorkerBrowser): Promise<() => Promise<void>> {
  const { cdp } = browser;
  const { targetId } = await until('the worker to be awake', () => worker(browser));
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  await cdp.send('Network.enable', {}, sessionId);
  await cdp.send('Network.emulateNetworkConditions', { offline: true, ...OPEN }, sessionId);
  return async () => {
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...OPEN }, sessionId);
    await cdp.send('Target.detachFromTarget', { sessionId });
  };
}

/**
 * Keys that move from the end of the context menu to the extension's items. Chromium does not report the positions of
 * menu items.
 */
const KEYS: Record<string, string[]> = {
  'Shorten this page': ['Up', 'Up', 'Up'],
  'Shorten link': ['Up', 'Up'],
  // The menu of a frame has two more items at its end.
  'Shorten this page in a frame': ['Up', 'Up', 'Up', 'Up', 'Up'],
  // The item is the first of two in a submenu.
  'Shorten selected addresses': ['Up', 'Up', 'Right'],
};

export async function startChromiumOnScreen(options: LaunchOptions, display: Display): Promise<BrowserOnScreen> {
  const chromium = await startChromiumUnderTest({ ...options, display: display.name });
  let hasAllowed = false;
  /** The window fills the top left corner of the screen, and the page extends to the window's bottom right corner. */
  const pointOf = async (tab: BrowserPage, { x, y }: Point): Promise<Point> => {
    await tab.bringToFront();
    const [left, top] = (await tab.evaluate('[outerWidth - innerWidth, outerHeight - innerHeight]')) as [
      number,
      number,
    ];
    return { x: left + x, y: top + y };
  };
  return {
    ...chromium,
    display,
    async clickOn(tab, point) {
      const { x, y } = await pointOf(tab, point);
      display.click(x, y);
    },
    async chooseFromMenu(tab, point, item, place) {
      const keys = KEYS[place ? `${item} in a ${place}` : item];
      if (!keys) throw new Error(`The position of "${item}" in the menu is unknown`);
      const { x, y } = await pointOf(tab, point);
      await display.openMenu(x, y);
      display.press(...keys, 'Return');
    },
    async allowPermission() {
      // Chromium grants a permission without a dialog if the user has granted it before.
      if (hasAllowed) return;
      await allowPermission(display);
      hasAllowed = true;
    },
  };
}
