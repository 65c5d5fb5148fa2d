import browser from 'webextension-polyfill';
import { privateEnded } from '../queue/requests.ts';
import { clearPrivateLinks } from '../storage/links.ts';
import type { Store } from '../storage/store.ts';

/**
 * Forgets what belongs to private windows, where none is open any more. A request that is on its way comes to its end
 * first: it cannot be called back.
 */
export async function forgetPrivate(store: Store): Promise<void> {
  const windows = await browser.windows.getAll();
  if (windows.some(({ incognito }) => incognito)) return;
  await store.transact((snapshot) => ({ snapshot: privateEnded(snapshot), value: null }));
  await store.exclusively(clearPrivateLinks);
}
