import { splitIntoChunks } from '../queue/batch-requests.ts';
import type { Link } from '../queue/types.ts';
import type { ReadTransaction } from './database.ts';

/** Selects links by long URL, short URL or id. */
export interface LinkLookup {
  urls?: string[];
  ids?: string[];
}

export interface LinkQuery extends LinkLookup {
  /** Number of links to return, newest first. If undefined, all links are returned. */
  latest?: number;
}

/** Number of neighboring keys that are combined into one key range. */
const KEYS_PER_RANGE = 32;

/** Maximum number of links in a key range. If a range contains more links, reading the keys one by one is faster. */
const MAX_RANGE_LINKS = 2 * KEYS_PER_RANGE;

/** Returns all links with these URLs or ids, newest first. */
export async function findLinks(transaction: ReadTransaction, { urls = [], ids = [] }: LinkLookup): Promise<Link[]> {
  const [wantedUrls, wantedIds] = [new Set(urls), new Set(ids)];
  const isWanted = ({ id, url, shortUrl }: Link) =>
    wantedIds.has(id) || wantedUrls.has(url) || wantedUrls.has(shortUrl);
  const store = transaction.objectStore('links');
  const near = [lookUp(store.index('url'), urls), lookUp(store.index('shortUrl'), urls), lookUp(store, ids)];
  const found = (await Promise.all(near)).flat(2).filter(isWanted);
  return [...new Map(found.map((link) => [link.id, link])).values()].sort(newerFirst);
}

interface LinksByKey {
  getAll(key: string | IDBKeyRange, count?: number): Promise<Link[]>;
}

/**
 * Reads the links with these keys, and possibly other links with keys between them. Reading one key range is faster
 * than reading many single keys.
 */
function lookUp(links: LinksByKey, keys: string[]): Promise<Link[][]> {
  const parts = splitIntoChunks(keys.toSorted(), KEYS_PER_RANGE).map(async (near) => {
    const between = await links.getAll(IDBKeyRange.bound(near[0], near.at(-1)), MAX_RANGE_LINKS);
    if (between.length < MAX_RANGE_LINKS) return between;
    return (await Promise.all(near.map((key) => links.getAll(key)))).flat();
  });
  return Promise.all(parts);
}

/**
 * Returns the links that a page requested: first the latest links, then the other links with the requested URLs and
 * ids.
 */
export async function queryLinks(
  transaction: ReadTransaction,
  { latest = Number.POSITIVE_INFINITY, urls = [], ids = [] }: LinkQuery,
): Promise<Link[]> {
  const newest = await latestLinks(transaction, latest);
  const listed = new Set(newest.map(({ id }) => id));
  const named = await findLinks(transaction, { urls, ids });
  return [...newest, ...named.filter(({ id }) => !listed.has(id))];
}

/** Returns the latest stored links, newest first. */
async function latestLinks(transaction: ReadTransaction, count: number): Promise<Link[]> {
  if (count === 0) return [];
  const index = transaction.objectStore('links').index('createdAt');
  // Finds the oldest link to return. Reading this link and all newer links as one range is much faster than reading
  // single links.
  let oldest = count === Number.POSITIVE_INFINITY ? null : await index.openKeyCursor(null, 'prev');
  if (oldest && count > 1) oldest = await oldest.advance(count - 1);
  const links = await index.getAll(oldest && IDBKeyRange.lowerBound(oldest.key));
  return links.reverse().slice(0, count);
}

function newerFirst(one: Link, other: Link): number {
  return other.createdAt - one.createdAt;
}

/**
 * Returns the changes to links when their connections are deleted. Links that were created in this browser are kept,
 * but `connectionId` becomes null. All other links are deleted.
 */
export async function withoutConnection(
  transaction: ReadTransaction,
  connectionIds: string[],
): Promise<{ links: Link[]; gone: string[] }> {
  const index = transaction.objectStore('links').index('connectionId');
  const all = (await Promise.all(connectionIds.map((id) => index.getAll(id)))).flat();
  return {
    links: all
      .filter(({ elsewhere }) => !elsewhere)
      .map(({ clicks, unlisted, ...link }) => ({ ...link, connectionId: null })),
    gone: all.filter(({ elsewhere }) => elsewhere).map(({ id }) => id),
  };
}
