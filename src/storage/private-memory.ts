import browser from '../browser/browser.ts';
import { hash } from '../queue/limits/removed-key-quota.ts';
import { codeIn } from '../queue/results/apply-result.ts';
import type { Attempt, Group, Link, Request } from '../queue/types.ts';

/*
 * The service lists links made in private windows like all others. Marks keep them from being stored when the list is read.
 * They are numbers in memory: the disk holds nothing of private windows, so the marks end with the browser.
 */

const KEY = 'privateMarks';

/** Maximum number of marks, two for each link. The oldest are dropped first. */
const MAX_MARKS = 20_000;

/** Matches every spelling of a short code: letter case and percent-encoding may differ between a list and a short URL. */
export function codeMark(shortCode: string): number {
  return hash(`code ${decoded(shortCode).toLowerCase()}`);
}

function urlMark(url: string): number {
  return hash(`url ${url}`);
}

export async function readMarks(): Promise<ReadonlySet<number>> {
  const { [KEY]: marks } = await browser.storage.session.get(KEY);
  return new Set(Array.isArray(marks) ? marks : []);
}

/** True if a listed link may be one that a private window made, on whichever connection. */
export function isMarked({ url, shortCode, shortUrl }: Listed, marks: ReadonlySet<number>): boolean {
  return [urlMark(url), codeMark(shortCode), codeMark(codeIn(shortUrl))].some((mark) => marks.has(mark));
}

type Listed = Pick<Link, 'url' | 'shortCode' | 'shortUrl'>;

/** Private links, and requests that are about to become some. */
interface Made {
  links: Pick<Link, 'url' | 'shortCode'>[];
  requests: Pick<Request, 'url' | 'minted' | 'options'>[];
}

/** Marks long URLs as well as short codes, because the service may choose the code. */
export function markPrivate({ links, requests }: Made): Promise<void> {
  const codes = [
    ...links.map(({ shortCode }) => shortCode),
    ...requests.flatMap(({ minted, options }) => minted?.code ?? options.shortCode ?? []),
  ];
  return addMarks([...[...links, ...requests].map(({ url }) => urlMark(url)), ...codes.map(codeMark)]);
}

export async function addMarks(marks: number[]): Promise<void> {
  if (marks.length === 0) return;
  const known = await readMarks();
  const all = known.union(new Set(marks));
  if (all.size > known.size) await browser.storage.session.set({ [KEY]: [...all].slice(-MAX_MARKS) });
}

function decoded(shortCode: string): string {
  try {
    return decodeURIComponent(shortCode);
  } catch {
    return shortCode;
  }
}

/** What belongs to private windows. It lives in memory until the last of them is closed, and never on disk. */
export interface PrivateMemory {
  requests: Request[];
  attempts: Attempt[];
  links: Link[];
  groups: Group[];
}

const PRIVATE_MEMORY_KEY = 'privateMemory';
export const NOTHING_PRIVATE: PrivateMemory = { requests: [], attempts: [], links: [], groups: [] };

export async function readPrivate(): Promise<PrivateMemory> {
  const stored = await browser.storage.session.get(PRIVATE_MEMORY_KEY);
  // The version before kept no groups: whatever it left is read with none.
  return { ...NOTHING_PRIVATE, ...(stored[PRIVATE_MEMORY_KEY] as Partial<PrivateMemory> | undefined) };
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
  await browser.storage.session.set({ [PRIVATE_MEMORY_KEY]: memory });
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
