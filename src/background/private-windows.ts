import type { Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { forgetPrivateList, forgetPrivateSearch, popupTarget } from '../messages/open-page-with-data.ts';
import type { Store } from '../storage/store.ts';

export async function deletePrivateDataUnlessOpen(store: Store, closedTab?: number): Promise<void> {
  if (await isPrivateWindowOpen(closedTab)) return;
  await Promise.all([store.forgetPrivate(), popupTarget.forgetPrivate(), forgetPrivateList(), forgetPrivateSearch()]);
}

/**
 * Installs an update of the extension immediately, unless data from private windows is in memory. Installing restarts
 * the extension, which would delete this data. If there is such data, Firefox installs the update at its next start.
 * Does nothing in Chromium, where updates cannot be delayed.
 */
export async function updateUnlessPrivate(store: Store): Promise<void> {
  const isFirefox = 'getBrowserInfo' in browser.runtime;
  if (isFirefox && !(await store.hasPrivate().catch(() => true))) browser.runtime.reload();
}

/**
 * True if the tab is private. If the browser does not report this, the function checks for open private windows. If
 * this check fails, the function returns true.
 */
export async function mayBePrivate(tab?: Tabs.Tab): Promise<boolean> {
  return tab?.incognito ?? isPrivateWindowOpen().catch(() => true);
}

export async function frontTab(): Promise<Tabs.Tab | undefined> {
  const tabs = await browser.tabs.query({ active: true, lastFocusedWindow: true }).catch(() => []);
  return tabs[0];
}

/**
 * True if a private window is open. On Android, which has no windows, true if a private tab is open.
 *
 * @param closedTab id of a tab that has just closed. Browsers may still list this tab.
 */
export async function isPrivateWindowOpen(closedTab?: number): Promise<boolean> {
  if (browser.windows) return (await browser.windows.getAll()).some(({ incognito }) => incognito);
  const tabs = await browser.tabs.query({});
  return tabs.some(({ id, incognito }) => incognito && (closedTab === undefined || id !== closedTab));
}
