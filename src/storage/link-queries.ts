import { splitIntoChunks } from '../queue/batch-requests.ts';
import type { Link } from '../queue/types.ts';
import type { ReadTransaction } from './database.ts';

/** Selects links by long URL, short URL or id. */
export interface LinkLookup {
  urls?: string[];
  ids?: string[];
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
  const all = (await readCandidates(transaction, urls, ids)).filter(isWanted);
  return [...new Map(all.map((link) => [link.id, link])).values()].sort(newerFirst);
}

/** Reads the stored links with these URLs or ids. The result may also contain other links. */
async function readCandidates(transaction: ReadTransaction, urls: string[], ids: string[]): Promise<Link[]> {
  const store = transaction.objectStore('links');
  const found = [lookUp(store.index('url'), urls), lookUp(store.index('shortUrl'), urls), lookUp(store, ids)];
  return (await Promise.all(found)).flat(2);
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

/** Returns the total number of stored links, and the number of stored links without a connection. */
export async function linkCounts(transaction: ReadTransaction): Promise<{ all: number; ofNoConnection: number }> {
  const store = transaction.objectStore('links');
  const [all, connected] = await Promise.all([store.count(), store.index('connectionId').count()]);
  return { all, ofNoConnection: all - connected };
}

/** Returns the links that a page requested: first the latest links, then the links with the requested URLs and ids. */
export async function queryLinks(
  transaction: ReadTransaction,
  { latest = Number.POSITIVE_INFINITY, urls = [], ids = [] }: LinkQuery,
): Promise<Link[]> {
  const newest = await latestLinks(transaction, latest);
  if (urls.length === 0 && ids.length === 0) return newest;
  const listed = new Set(newest.map(({ id }) => id));
  const named = newestOfEach(await findLinks(transaction, { urls, ids }), new Set(urls), new Set(ids));
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

/**
 * Returns the links with these ids. For each URL, also returns the newest link with each combination of connection,
 * expiry time and restrictions.
 */
function newestOfEach(links: Link[], urls: Set<string>, ids: Set<string>): Link[] {
  const seen = new Set<string>();
  const isFirst = (url: string, { connectionId, expiresAt, unlisted, isRestricted }: Link) => {
    const key = JSON.stringify([url, connectionId, expiresAt, unlisted, isRestricted]);
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
 * Returns the changes to links when their connections are deleted. Links that were created in this browser are kept,
 * but `connectionId` becomes null. All other links are deleted.
 */
export async function withoutConnection(
  transaction: ReadTransaction,
  connectionIds: string[],
): Promise<{ links: Link[]; gone: string[] }> {
  const index = transaction.objectStore('links').index('connectionId');
  const found = await Promise.all(connectionIds.map((id) => index.getAll(id)));
  const all = found.flat();
  return {
    links: all
      .filter(({ elsewhere }) => !elsewhere)
      .map(({ clicks, unlisted, ...link }) => ({ ...link, connectionId: null })),
    gone: all.filter(({ elsewhere }) => elsewhere).map(({ id }) => id),
  };
}

export interface LinkQuery {
  /** Number of links to return, newest first. If undefined, all links are returned. */
  latest?: number;
  /** Long or short URLs. For each URL, the newest link per connection and expiry time is returned. */
  urls?: string[];
  ids?: string[];
}
