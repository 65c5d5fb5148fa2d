import type { Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { forgetPrivateList, forgetPrivateSearch, popupTarget } from '../messages/open-page.ts';
import type { Store } from '../storage/store.ts';

/** Deletes all private data, including requests in flight, if no private window is open. */
export async function deletePrivateDataUnlessOpen(store: Store, closedTab?: number): Promise<void> {
  if (await isPrivateWindowOpen(closedTab)) return;
  await Promise.all([store.forgetPrivate(), popupTarget.forgetPrivate(), forgetPrivateList(), forgetPrivateSearch()]);
}

/**
 * Applies an update of the extension at once, as Firefox does without this listener. A reload empties memory, so with
 * private data in memory the update waits until Firefox restarts. Chromium cannot be asked to wait. It updates while
 * the extension is idle.
 */
export async function updateUnlessPrivate(store: Store): Promise<void> {
  const isFirefox = 'getBrowserInfo' in browser.runtime;
  if (isFirefox && !(await store.hasPrivate().catch(() => true))) browser.runtime.reload();
}

/**
 * True if a request from this tab may be private. If the browser does not say, it may be, unless no private window is
 * open.
 */
export async function mayBePrivate(tab?: Tabs.Tab): Promise<boolean> {
  return tab?.incognito ?? isPrivateWindowOpen().catch(() => true);
}

/** Returns the active tab of the focused window. */
export async function frontTab(): Promise<Tabs.Tab | undefined> {
  const tabs = await browser.tabs.query({ active: true, lastFocusedWindow: true }).catch(() => []);
  return tabs[0];
}

/**
 * True if a private window is open. Android has no windows, so its tabs are checked.
 *
 * @param closedTab id of a tab that was just closed, because browsers may still list it
 */
export async function isPrivateWindowOpen(closedTab?: number): Promise<boolean> {
  if (browser.windows) return (await browser.windows.getAll()).some(({ incognito }) => incognito);
  const tabs = await browser.tabs.query({});
  return tabs.some(({ id, incognito }) => incognito && (closedTab === undefined || id !== closedTab));
}
