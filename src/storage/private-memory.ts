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

/** Data of private windows. It is kept in memory until the last private window is closed, and never on disk. */
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
  // Data of the previous version has no groups.
  return { ...NOTHING_PRIVATE, ...(stored[PRIVATE_MEMORY_KEY] as Partial<PrivateMemory> | undefined) };
}

/**
 * Maximum size of the private data as JSON, in UTF-16 units. The browser's limit is 10 MB, and this much data takes up to
 * 7.8 MB in Chromium. The rest is reserved for the attempts and links of accepted requests.
 */
const MAX_SIZE = 1_500_000;

/** Error for private requests that do not fit into memory. It is thrown before anything is stored or charged. */
export class PrivateMemoryFull extends Error {
  /** Number of new requests that would fit, counted from the first. */
  readonly fits: number;

  constructor(fits: number) {
    super();
    this.fits = fits;
  }
}

/** @throws PrivateMemoryFull if the new requests do not fit */
export function assertFits(before: PrivateMemory, after: PrivateMemory): void {
  const hasMore = after.requests.length > before.requests.length;
  if (hasMore && size(after) > MAX_SIZE) throw new PrivateMemoryFull(fitting(before, after));
}

/** Counts the new requests that would fit, in order, together with their whole group. */
function fitting(before: PrivateMemory, after: PrivateMemory): number {
  const known = new Set(before.requests.map(({ id }) => id));
  const added = after.requests.filter(({ id }) => !known.has(id));
  let left = MAX_SIZE - size(before) - size(after.groups);
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

/** Deletes all data of private windows, requests in flight included. Used quota stays used. Returns true if there was any data. */
export async function clearPrivate(): Promise<boolean> {
  const hadPrivate = await hasPrivate();
  if (hadPrivate) await writePrivate(NOTHING_PRIVATE);
  return hadPrivate;
}
