import browser from '../platform/browser.ts';
import { forgetPrivate } from '../queue/requests.ts';
import type { Attempt, Group, Link, Request } from '../queue/types.ts';
import { markPrivate } from './private-marks.ts';

/** What belongs to private windows. It lives in memory until the last of them is closed, and never on disk. */
export interface PrivateMemory {
  requests: Request[];
  attempts: Attempt[];
  links: Link[];
  groups: Group[];
}

const KEY = 'privateMemory';
export const NOTHING_PRIVATE: PrivateMemory = { requests: [], attempts: [], links: [], groups: [] };

export async function readPrivate(): Promise<PrivateMemory> {
  const stored = await browser.storage.session.get(KEY);
  // The version before kept no groups: whatever it left is read with none.
  return { ...NOTHING_PRIVATE, ...(stored[KEY] as Partial<PrivateMemory> | undefined) };
}

export async function writePrivate(memory: PrivateMemory): Promise<void> {
  await markPrivate(memory);
  await browser.storage.session.set({ [KEY]: memory });
}

/** Forgets everything of private windows. Returns whether there was anything. */
export async function clearPrivate(): Promise<boolean> {
  const memory = await readPrivate();
  const next = forgetPrivate(memory);
  if (next === memory) return false;
  await writePrivate(next);
  return true;
}
