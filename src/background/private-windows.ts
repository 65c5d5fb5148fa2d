import type { Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { forgetPrivateList, forgetPrivateSearch, popupTarget } from '../messages/open-page.ts';
import type { Store } from '../storage/store.ts';

/** Forgets what belongs to private windows, in flight or not, where none is open any more. */
export async function deletePrivateDataUnlessOpen(store: Store, closedTab?: number): Promise<void> {
  if (await isPrivateWindowOpen(closedTab)) return;
  await Promise.all([store.forgetPrivate(), popupTarget.forgetPrivate(), forgetPrivateList(), forgetPrivateSearch()]);
}

/**
 * Applies an update of the extension at once, as Firefox does for extensions that do not listen. While anything private is in memory
 * the update waits until Firefox restarts, because a reload empties that memory. Chromium cannot be told to wait: it updates while
 * the extension is idle.
 */
export async function updateUnlessPrivate(store: Store): Promise<void> {
  const isFirefox = 'getBrowserInfo' in browser.runtime;
  if (isFirefox && !(await store.hasPrivate().catch(() => true))) browser.runtime.reload();
}

/** Whether what is asked for in a tab may be private. Where the browser does not say, it may, unless no private window is open. */
export async function mayBePrivate(tab?: Tabs.Tab): Promise<boolean> {
  return tab?.incognito ?? isPrivateWindowOpen().catch(() => true);
}

/** The tab in front: the one that is typed over, and that a popup opens over. */
export async function frontTab(): Promise<Tabs.Tab | undefined> {
  const tabs = await browser.tabs.query({ active: true, lastFocusedWindow: true }).catch(() => []);
  return tabs[0];
}

/**
 * Whether a private window is open. Android has no windows to ask about, and tabs that say whether they are private.
 *
 * @param closedTab one that has just been closed: a browser may still name it
 */
export async function isPrivateWindowOpen(closedTab?: number): Promise<boolean> {
  if (browser.windows) return (await browser.windows.getAll()).some(({ incognito }) => incognito);
  const tabs = await browser.tabs.query({});
  return tabs.some(({ id, incognito }) => incognito && (closedTab === undefined || id !== closedTab));
}
