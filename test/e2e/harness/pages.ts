import type { Page } from 'playwright-core';
import type { Chromium } from '../../../scripts/browsers/chromium.ts';
import { evaluateIn, type Target, targets } from '../../../scripts/browsers/targets.ts';
import type { Browser } from './chromium.ts';
import { until } from './until.ts';

/** Pages of the extension, by their folder in the build. */
export type ExtensionPage = 'popup' | 'options' | 'links' | 'bulk' | 'welcome' | 'queue' | 'hosting';

export function extensionUrl({ extensionId }: Browser, page: ExtensionPage): string {
  return `chrome-extension://${extensionId}/src/pages/${page}/index.html`;
}

export async function openTab({ context }: Browser, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Opens an extension page in a new tab. Retries while the extension is reloading. */
export function openExtensionPage(browser: Browser, page: ExtensionPage): Promise<Page> {
  const isAway = (error: unknown) => String(error).includes('ERR_BLOCKED_BY_CLIENT');
  return until(`the extension's page ${page}`, async () => {
    const tab = await browser.context.newPage();
    try {
      await tab.goto(extensionUrl(browser, page));
      return tab;
    } catch (error) {
      await tab.close().catch(() => {});
      if (!isAway(error)) throw error;
      return null;
    }
  });
}

/**
 * Brings `page` to the front and clicks the toolbar button, which gives the extension access to the tab. Returns the
 * popup.
 */
export async function openPopup(browser: Browser, page: Page): Promise<Page> {
  await page.bringToFront();
  const tabs = await targets(browser.cdp, 'tab');
  const tab = tabs.find(({ url }) => url === page.url());
  if (!tab) throw new Error(`No tab shows ${page.url()}`);
  await browser.cdp.send('Extensions.triggerAction', { id: browser.extensionId, targetId: tab.targetId });
  return popupWindow(browser);
}

/** True if a popup is open, or a tab with the popup's page. */
export async function isPopupOpen(browser: Browser): Promise<boolean> {
  const url = extensionUrl(browser, 'popup');
  return (await targets(browser.cdp)).some((target) => target.type === 'page' && target.url.startsWith(url));
}

/** Waits for a popup that a shortcut or menu item opens. */
export async function popupWindow(browser: Browser): Promise<Page> {
  const url = extensionUrl(browser, 'popup');
  await until('the popup to open', () => isPopupOpen(browser));
  const context = await browser.connect();
  return until('the popup in the list of pages', () =>
    context.pages().find((candidate) => candidate.url().startsWith(url)),
  );
}

export type WorkerBrowser = Pick<Chromium, 'cdp' | 'extensionId'>;

/** Returns the extension's background worker if it is awake. */
export async function worker({ cdp, extensionId }: WorkerBrowser): Promise<Target | undefined> {
  const all = await targets(cdp);
  return all.find(({ type, url }) => type === 'service_worker' && url.startsWith(`chrome-extension://${extensionId}/`));
}

/**
 * Stops the background worker abruptly, as the browser does with an idle worker, and waits until the worker has
 * stopped.
 */
export async function killWorker(browser: WorkerBrowser): Promise<void> {
  const alive = await worker(browser);
  if (!alive) return;
  await browser.cdp.send('Target.closeTarget', { targetId: alive.targetId });
  await until('the worker to stop', async () => (await worker(browser))?.targetId !== alive.targetId);
}

/** Evaluates an expression in the background worker, which must be awake or about to start. */
export async function inWorker<T>(browser: WorkerBrowser, expression: string): Promise<T> {
  const alive = await until('the worker to be awake', () => worker(browser));
  // Chromium lists a starting background worker before its extension APIs exist.
  await until('the worker to be ready', () => evaluateIn<boolean>(browser.cdp, alive, "'chrome' in self"));
  return evaluateIn<T>(browser.cdp, alive, expression);
}
