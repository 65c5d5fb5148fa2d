import browser from '../browser/browser.ts';
import { codeIn, decodeCode } from '../queue/results/apply-result.ts';
import type { Attempt, Group, Link, Request } from '../queue/types.ts';

/*
 * A service's list also contains links that were created in private windows. To prevent a sync from storing these
 * links, the extension marks them with hashes. The hashes exist only in memory, because data from private windows
 * must not be on disk. Closing the browser deletes the hashes.
 */

const KEY = 'privateMarks';

/**
 * Maximum number of stored hashes. A link has one hash of its short code and one of its long URL. The oldest hashes
 * are dropped first.
 */
const MAX_MARKS = 20_000;

/**
 * Returns a hash that identifies a link from a private window by its short code. Ignores letter case and
 * percent-encoding, which may differ between a service's list and a short URL.
 */
export function codeMark(shortCode: string): number {
  return hash(`code ${decodeCode(shortCode).toLowerCase()}`);
}

function urlMark(url: string): number {
  return hash(`url ${url}`);
}

export async function readMarks(): Promise<ReadonlySet<number>> {
  const { [KEY]: marks } = await browser.storage.session.get(KEY);
  return new Set(Array.isArray(marks) ? marks : []);
}

/**
 * True if a listed link may have been created in a private window, because a mark of its URL or short code is stored.
 */
export function isMarked({ url, shortCode, shortUrl }: Listed, marks: ReadonlySet<number>): boolean {
  return [urlMark(url), codeMark(shortCode), codeMark(codeIn(shortUrl))].some((mark) => marks.has(mark));
}

type Listed = Pick<Link, 'url' | 'shortCode' | 'shortUrl'>;

interface Made {
  links: Pick<Link, 'url' | 'shortCode'>[];
  requests: Pick<Request, 'url' | 'generatedCode' | 'options'>[];
}

/**
 * Stores hashes that identify links from private windows. The long URLs are hashed too, because the service may
 * choose the short codes.
 */
export function markPrivate({ links, requests }: Made): Promise<void> {
  const codes = [
    ...links.map(({ shortCode }) => shortCode),
    ...requests.flatMap(({ generatedCode, options }) => generatedCode ?? options.shortCode ?? []),
  ];
  return addMarks([...[...links, ...requests].map(({ url }) => urlMark(url)), ...codes.map(codeMark)]);
}

export async function addMarks(marks: number[]): Promise<void> {
  if (marks.length === 0) return;
  const known = await readMarks();
  const all = known.union(new Set(marks));
  if (all.size > known.size) await browser.storage.session.set({ [KEY]: [...all].slice(-MAX_MARKS) });
}

/** Data from private windows. It is never written to disk, and is deleted when the last private window closes. */
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
  return { ...NOTHING_PRIVATE, ...(stored[PRIVATE_MEMORY_KEY] as Partial<PrivateMemory> | undefined) };
}

/**
 * Maximum size of the data from private windows as JSON, in UTF-16 code units. In Chromium, text of this size takes
 * up to 7.8 MB of the 10 MB that session storage can hold. The other 2.2 MB are reserved for the attempts and links
 * of accepted requests.
 */
const MAX_SIZE = 1_500_000;

/**
 * Thrown if requests from a private window do not fit into memory. At this point, nothing has been stored and no
 * quota has been used.
 */
export class PrivateMemoryFull extends Error {
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

/**
 * Returns the number of new requests that fit into the remaining memory. Bulk lists also take up part of this memory.
 */
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

export async function hasPrivate(): Promise<boolean> {
  return Object.values(await readPrivate()).some((all) => all.length > 0);
}

/**
 * Deletes all data from private windows, including requests that are being sent. Quota that these requests used is
 * not restored. Returns true if there was any data.
 */
export async function clearPrivate(): Promise<boolean> {
  const hadPrivate = await hasPrivate();
  if (hadPrivate) await writePrivate(NOTHING_PRIVATE);
  return hadPrivate;
}

function hash(text: string): number {
  let number = 0x811c9dc5;
  for (const char of text) number = Math.imul(number ^ char.charCodeAt(0), 0x01000193);
  return number;
}
