import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { targets } from '../../../scripts/browsers/targets.ts';
import type { BrowserPage, BrowserUnderTest, MenuClick } from './browser-under-test.ts';
import { type Browser, type LaunchOptions, launchChromium } from './chromium.ts';
import { readClipboard } from './clipboard.ts';
import { goOffline } from './offline.ts';
import { extensionUrl, isPopupOpen, openExtensionPage, openPopup, openTab, popupWindow } from './pages.ts';
import { startSite } from './site.ts';
import { until } from './until.ts';
import { inWorker, killWorker, worker } from './worker.ts';

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
