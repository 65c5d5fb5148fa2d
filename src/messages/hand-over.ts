import browser from '../platform/browser.ts';

/** What is handed to a page that opens at once. */
export interface Handed {
  private: boolean;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * A page opens at once or not at all, however slow the computer: one that opens later than this was opened by the person, for
 * something else.
 */
const FRESH_MS = 60_000;

/**
 * Hands one thing from the background or a page to the page that is opened next, or to one that is open. In memory alone:
 * it may be private.
 */
export class HandOver<T extends Handed> {
  /** Of `storage.session`, its own. */
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  async give(handed: T): Promise<void> {
    await browser.storage.session.set({ [this.key]: handed });
  }

  /** Forgets what was handed over about a private window, where no page has taken it. */
  async forgetPrivate(): Promise<void> {
    if ((await read(this))?.private) await browser.storage.session.remove(this.key);
  }
}

/*
 * What pages do with it. The background only gives, and carries none of this.
 */

/**
 * Takes what was handed over: a second page does not see it again. Null where there is nothing, or it is old.
 *
 * @param isForPage whether this page is to show it; what another page is to show is left to that
 */
export async function takeHandedOver<T extends Handed>(
  handOver: HandOver<T>,
  isForPage: (handed: T) => boolean | Promise<boolean>,
  now = Date.now(),
): Promise<T | null> {
  const handed = await read(handOver);
  if (!handed) return null;
  const isFresh = Math.abs(now - handed.at) <= FRESH_MS;
  if (isFresh && !(await isForPage(handed))) return null;
  await browser.storage.session.remove(handOver.key);
  return isFresh ? handed : null;
}

/** Calls back when something is handed over while the page is open. Returns how to stop. */
export function watchHandedOver({ key }: { key: string }, handed: () => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'session' && changes[key]?.newValue !== undefined) handed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}

async function read<T extends Handed>({ key }: HandOver<T>): Promise<T | undefined> {
  const { [key]: record } = await browser.storage.session.get(key);
  return record as T | undefined;
}
