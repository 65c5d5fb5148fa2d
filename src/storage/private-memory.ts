import browser from 'webextension-polyfill';
import type { Attempt, Link, Request } from '../queue/types.ts';

/** What belongs to private windows. It lives in memory until the last of them is closed, and never on disk. */
export interface PrivateMemory {
  requests: Request[];
  attempt: Attempt | null;
  links: Link[];
}

const KEY = 'private';
const EMPTY: PrivateMemory = { requests: [], attempt: null, links: [] };

export async function readPrivate(): Promise<PrivateMemory> {
  const stored = await browser.storage.session.get(KEY);
  return (stored[KEY] as PrivateMemory | undefined) ?? EMPTY;
}

export async function writePrivate(memory: PrivateMemory): Promise<void> {
  await browser.storage.session.set({ [KEY]: memory });
}
