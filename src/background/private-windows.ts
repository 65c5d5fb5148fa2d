import browser from 'webextension-polyfill';
import { forgetPrivateTarget } from '../messages/popup-target.ts';
import type { Store } from '../storage/store.ts';

/** Forgets what belongs to private windows, in flight or not, where none is open any more. */
export async function forgetPrivateUnlessOpen(store: Store): Promise<void> {
  if (await isPrivateWindowOpen()) return;
  await Promise.all([store.forgetPrivate(), forgetPrivateTarget()]);
}

/** Whether an order may be private of which the browser does not say: it may, unless no private window is open. */
export function mayBePrivate(): Promise<boolean> {
  return isPrivateWindowOpen().catch(() => true);
}

/** Android has no windows to ask about, and tabs that say whether they are private. */
async function isPrivateWindowOpen(): Promise<boolean> {
  const places = browser.windows ? await browser.windows.getAll() : await browser.tabs.query({});
  return places.some(({ incognito }) => incognito);
}
