import { splitIntoChunks } from '../queue/batch-requests.ts';
import type { Link } from '../queue/types.ts';
import { type ReadTransaction, resultOf } from './database.ts';

/** Links by their long or short URL, or by their id. */
export interface LinkLookup {
  urls?: string[];
  ids?: string[];
}

/** So many keys that follow each other are looked up at once. */
const NEIGHBOURS = 32;

/** Reading this many links at once takes as long as looking the keys up one by one. */
const MOST_BETWEEN = 2 * NEIGHBOURS;

/** Every link of these URLs and ids, on any connection, newest first: `remembered` ones and those on disk. */
export async function findLinks(
  transaction: ReadTransaction,
  remembered: Link[],
  { urls = [], ids = [] }: LinkLookup,
): Promise<Link[]> {
  const [wantedUrls, wantedIds] = [new Set(urls), new Set(ids)];
  const isWanted = ({ id, url, shortUrl }: Link) =>
    wantedIds.has(id) || wantedUrls.has(url) || wantedUrls.has(shortUrl);
  const all = [...remembered, ...(await readAbout(transaction, urls, ids))].filter(isWanted);
  return [...new Map(all.map((link) => [link.id, link])).values()].sort(newerFirst);
}

/** The links on disk of these URLs and ids; others may be among them. */
async function readAbout(transaction: ReadTransaction, urls: string[], ids: string[]): Promise<Link[]> {
  const store = transaction.objectStore('links');
  const found = [lookUp(store.index('url'), urls), lookUp(store.index('shortUrl'), urls), lookUp(store, ids)];
  return (await Promise.all(found)).flat(2);
}

interface LinksByKey {
  getAll(key: string | IDBKeyRange, count?: number): IDBRequest<Link[]>;
}

/**
 * The links of these keys; others may be among them. A look-up costs more than a link that is read with others, so all that
 * is between neighbouring keys is read at once. Where that is too much, they are looked up one by one.
 */
function lookUp(links: LinksByKey, keys: string[]): Promise<Link[][]> {
  const parts = splitIntoChunks(keys.toSorted(), NEIGHBOURS).map(async (near) => {
    const between = await resultOf(links.getAll(IDBKeyRange.bound(near[0], near.at(-1)), MOST_BETWEEN));
    if (between.length < MOST_BETWEEN) return between;
    return (await Promise.all(near.map((key) => resultOf(links.getAll(key))))).flat();
  });
  return Promise.all(parts);
}

/** How many links are on disk, and how many of them are of no connection. Counted: none of them is read. */
export async function linkCounts(transaction: ReadTransaction): Promise<{ all: number; ofNoConnection: number }> {
  const store = transaction.objectStore('links');
  // Those of no connection are not in the index of connections.
  const [all, connected] = await Promise.all([resultOf(store.count()), resultOf(store.index('connectionId').count())]);
  return { all, ofNoConnection: all - connected };
}

/** What a page asked for: the latest links, those `remembered` before those on disk, and then those it named. */
export async function queryLinks(
  transaction: ReadTransaction,
  remembered: Link[],
  { latest = Number.POSITIVE_INFINITY, urls = [], ids = [] }: LinkQuery,
): Promise<Link[]> {
  const kept = await latestLinks(transaction, latest);
  const newest = [...remembered.toSorted(newerFirst), ...kept].slice(0, latest);
  if (urls.length === 0 && ids.length === 0) return newest;
  const listed = new Set(newest.map(({ id }) => id));
  const named = newestOfEach(await findLinks(transaction, remembered, { urls, ids }), new Set(urls), new Set(ids));
  return [...newest, ...named.filter(({ id }) => !listed.has(id))];
}

/** The latest links on disk, newest first. */
async function latestLinks(transaction: ReadTransaction, count: number): Promise<Link[]> {
  if (count === 0) return [];
  const index = transaction.objectStore('links').index('createdAt');
  // Whatever is read at once is read many times faster than one by one: all of them, or all from the last one wanted on.
  const oldest = count === Number.POSITIVE_INFINITY ? null : await keyFromEnd(index.openKeyCursor(null, 'prev'), count);
  const links = await resultOf(index.getAll(oldest === null ? undefined : IDBKeyRange.lowerBound(oldest)));
  return links.reverse().slice(0, count);
}

/** The key that is the `count`th by the cursor's order; null where there are fewer. */
async function keyFromEnd(request: IDBRequest<IDBCursor | null>, count: number): Promise<IDBValidKey | null> {
  let cursor = await resultOf(request);
  if (cursor && count > 1) {
    cursor.advance(count - 1);
    cursor = await resultOf(request);
  }
  return cursor?.key ?? null;
}

/**
 * Of `links` (newest first) those of the ids, and the first of each URL on each connection: of those that last as long as each
 * other, since the newest may have ended before an older one, and are as sure, since a file's may hide what was made here.
 */
function newestOfEach(links: Link[], urls: Set<string>, ids: Set<string>): Link[] {
  const seen = new Set<string>();
  const isFirst = (url: string, { connectionId, expiresAt, unlisted, unconfirmed }: Link) => {
    const key = JSON.stringify([url, connectionId, expiresAt, unlisted, unconfirmed]);
    if (!urls.has(url) || seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  return links.filter((link) => {
    const firsts = [isFirst(link.url, link), isFirst(link.shortUrl, link)];
    return ids.has(link.id) || firsts.includes(true);
  });
}

function newerFirst(one: Link, other: Link): number {
  return other.createdAt - one.createdAt;
}

/**
 * What becomes of the links of connections that are forgotten, on disk and `remembered`: those made here stay as links of no
 * connection, those that their services listed go.
 */
export async function withoutConnection(
  transaction: ReadTransaction,
  remembered: Link[],
  connectionIds: string[],
): Promise<{ links: Link[]; gone: string[] }> {
  const index = transaction.objectStore('links').index('connectionId');
  const found = await Promise.all(connectionIds.map((id) => resultOf(index.getAll(id))));
  const isOf = ({ connectionId }: Link) => connectionId !== null && connectionIds.includes(connectionId);
  const all = [...remembered.filter(isOf), ...found.flat()];
  return {
    links: all
      .filter(({ elsewhere }) => !elsewhere)
      .map(({ clicks, unlisted, ...link }) => ({ ...link, connectionId: null })),
    gone: all.filter(({ elsewhere }) => elsewhere).map(({ id }) => id),
  };
}

export type { VisibleQueues } from '../queue/types.ts';

/** The links a page asks for: so many of the latest, and besides, however old, those of URLs and ids. */
export interface LinkQuery {
  /** All of them where it is not there. */
  latest?: number;
  /** The newest links of each of these on each connection that last, or have lasted, until different times: long URLs or short ones. */
  urls?: string[];
  ids?: string[];
}
