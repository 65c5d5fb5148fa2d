import { forgetPrivateList } from '../messages/handed-list.ts';
import { forgetPrivateSearch } from '../messages/links-search.ts';
import { popupTarget } from '../messages/popup-target.ts';
import browser from '../platform/browser.ts';
import type { Store } from '../storage/store.ts';

/** Forgets what belongs to private windows, in flight or not, where none is open any more. */
export async function forgetPrivateUnlessOpen(store: Store, closedTab?: number): Promise<void> {
  if (await isPrivateWindowOpen(closedTab)) return;
  await Promise.all([store.forgetPrivate(), popupTarget.forgetPrivate(), forgetPrivateList(), forgetPrivateSearch()]);
}

/** Whether an order may be private of which the browser does not say: it may, unless no private window is open. */
export function mayBePrivate(): Promise<boolean> {
  return isPrivateWindowOpen().catch(() => true);
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
