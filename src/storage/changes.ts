import browser from 'webextension-polyfill';

const KEY = 'revision';

/** Tells every page that the database has changed. Session storage reaches private windows too, and is not on disk. */
export async function announceChange(): Promise<void> {
  await browser.storage.session.set({ [KEY]: crypto.randomUUID() });
}

/** Calls back whenever the database has changed. Returns how to stop. */
export function watchView(changed: () => void): () => void {
  const listener = (changes: Record<string, unknown>, area: string) => {
    if (area === 'session' && KEY in changes) changed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
