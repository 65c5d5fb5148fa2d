import browser from 'webextension-polyfill';
import { forgetPrivate } from '../queue/requests.ts';
import type { Store } from '../storage/store.ts';

/** Forgets what belongs to private windows, in flight or not, where none is open any more. */
export async function forgetPrivateUnlessOpen(store: Store): Promise<void> {
  if (await isPrivateWindowOpen()) return;
  for (const { connection } of await store.queues()) {
    await store.transact(connection.id, (queue) => ({ queue: forgetPrivate(queue), value: null }));
  }
  await store.forgetUnassignedPrivate();
  await store.clearPrivateLinks();
}

/** Android has no windows to ask about, and tabs that say whether they are private. */
async function isPrivateWindowOpen(): Promise<boolean> {
  const places = browser.windows ? await browser.windows.getAll() : await browser.tabs.query({});
  return places.some(({ incognito }) => incognito);
}
