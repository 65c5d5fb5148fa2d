import browser from '../platform/browser.ts';
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

/**
 * In UTF-16 units of JSON. Browsers hold 10 MB in memory, and count more than that: Chromium up to 7.8 MB for so much of requests
 * with an attempt each, Firefox 4.3 MB. So whatever was accepted can be sent, and what comes of it be noted.
 */
const MOST_REMEMBERED = 1_500_000;

/** Refuses what cannot be remembered, before anything of it is on disk or charged for. */
export class PrivateMemoryFull extends Error {
  /** So many of what was asked for would fit, the first ones. */
  readonly fits: number;

  constructor(fits: number) {
    super();
    this.fits = fits;
  }
}

/** @throws PrivateMemoryFull where requests have come that are too many to remember */
export function assertFits(before: PrivateMemory, after: PrivateMemory): void {
  const hasMore = after.requests.length > before.requests.length;
  if (hasMore && size(after) > MOST_REMEMBERED) throw new PrivateMemoryFull(fitting(before, after));
}

/** How many of the requests that have come would fit, in their order, with all of the group that they are in. */
function fitting(before: PrivateMemory, after: PrivateMemory): number {
  const known = new Set(before.requests.map(({ id }) => id));
  const added = after.requests.filter(({ id }) => !known.has(id));
  let left = MOST_REMEMBERED - size(before) - size(after.groups);
  const first = added.findIndex((request) => {
    left -= size(request) + 1;
    return left < 0;
  });
  return first < 0 ? added.length : first;
}

function size(value: unknown): number {
  return JSON.stringify(value).length;
}

export async function writePrivate(memory: PrivateMemory): Promise<void> {
  await markPrivate(memory);
  await browser.storage.session.set({ [KEY]: memory });
}

/** True if requests, links or groups of private windows are in memory. */
export async function hasPrivate(): Promise<boolean> {
  return Object.values(await readPrivate()).some((all) => all.length > 0);
}

/**
 * Forgets everything of private windows, what is in flight too. What they spent stays spent. Returns whether there was
 * anything.
 */
export async function clearPrivate(): Promise<boolean> {
  const hadPrivate = await hasPrivate();
  if (hadPrivate) await writePrivate(NOTHING_PRIVATE);
  return hadPrivate;
}
