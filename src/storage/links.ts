import type { Connection, Link } from '../queue/types.ts';
import type { ListedLink } from '../servers/adapter.ts';
import { capabilitiesOf } from '../servers/capabilities.ts';
import type { ReadTransaction, WriteTransaction } from './database.ts';

/** Selects links by long URL, short URL or id. */
export interface LinkLookup {
  urls?: string[];
  ids?: string[];
  /** Bulk list to which the ids belong. Until this list is stored, no link has one of these ids. */
  listId?: string | undefined;
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
export async function findLinks(transaction: ReadTransaction, lookup: LinkLookup): Promise<Link[]> {
  const { urls = [], listId } = lookup;
  const isNewList = listId !== undefined && !(await transaction.objectStore('lists').getKey(listId));
  const ids = isNewList ? [] : (lookup.ids ?? []);
  const [wantedUrls, wantedIds] = [new Set(urls), new Set(ids)];
  const isWanted = ({ id, url, shortUrl }: Link) =>
    wantedIds.has(id) || wantedUrls.has(url) || wantedUrls.has(shortUrl);
  const store = transaction.objectStore('links');
  const near = [lookUp(store.index('url'), urls), lookUp(store.index('shortUrl'), urls), lookUp(store, ids)];
  const found = (await Promise.all(near)).flat().filter(isWanted);
  const unique = new Map(found.map((link) => [link.id, link]));
  return [...unique.values()].sort((one, other) => other.createdAt - one.createdAt);
}

interface LinksByKey {
  getAll(key: string | IDBKeyRange, count?: number): Promise<Link[]>;
}

/**
 * Reads the links with these keys, and possibly other links with keys between them. In Chromium, a thousand reads of
 * single keys take ten times as long as the reads of their ranges.
 */
async function lookUp(links: LinksByKey, keys: string[]): Promise<Link[]> {
  const sorted = [...new Set(keys)].sort();
  const starts = sorted.keys().filter((index) => index % KEYS_PER_RANGE === 0);
  const parts = starts.map(async (start) => {
    const near = sorted.slice(start, start + KEYS_PER_RANGE);
    const between = await links.getAll(IDBKeyRange.bound(near[0], near.at(-1)), MAX_RANGE_LINKS);
    if (between.length < MAX_RANGE_LINKS) return between;
    return (await Promise.all(near.map((key) => links.getAll(key)))).flat();
  });
  return (await Promise.all(parts)).flat();
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

/**
 * Changes the links of connections that were deleted or whose address changed. Links that were created in this browser
 * are kept, but `connectionId` becomes null. All other links are deleted. Returns true if a stored link changed.
 */
export async function disconnectLinks(transaction: WriteTransaction, connectionIds: string[]): Promise<boolean> {
  const store = transaction.objectStore('links');
  const index = store.index('connectionId');
  const links = (await Promise.all(connectionIds.map((id) => index.getAll(id)))).flat();
  await Promise.all(
    links.map(async ({ clicks, unlisted, ...link }) =>
      link.elsewhere ? store.delete(link.id) : store.put({ ...link, connectionId: null }),
    ),
  );
  return links.length > 0;
}

/** Stores a new link. Deletes duplicates of the link that a sync or an import has stored. */
export async function writeLink(transaction: WriteTransaction, link: Link, connections: Connection[]): Promise<void> {
  const store = transaction.objectStore('links');
  const connection = connections.find(({ id }) => id === link.connectionId);
  if (connection) {
    await store.delete(listedId(connection, link));
    for (const { id, url, connectionId } of await store.index('shortUrl').getAll(link.shortUrl))
      if (connectionId === null && url === link.url) await store.delete(id);
  }
  await store.put(link);
}

/*
 * Merges a service's list of links into the database. Two records with the same connection, domain and short code
 * describe the same link.
 */

/** Returns a unique id for a link that is in a service's list but was not created in this browser. */
export function listedId(connection: Connection, link: Pick<Link, 'shortCode' | 'shortUrl'>): string {
  return `${connection.id}/${linkKey(connection, link)}`;
}

/**
 * Returns the key that identifies a link at its service. The key is the short code, preceded by the domain if the
 * service supports several domains.
 */
export function linkKey(connection: Connection, { shortCode, shortUrl }: Pick<Link, 'shortCode' | 'shortUrl'>): string {
  if (!capabilitiesOf(connection).domains) return shortCode;
  return `${URL.parse(shortUrl)?.host ?? ''}/${shortCode}`;
}

/** Stores one page of a server's list. Returns true if a stored link changed. */
export async function mergeListedLinks(
  transaction: WriteTransaction,
  connection: Connection,
  listed: ListedLink[],
  now: number,
): Promise<boolean> {
  const changes = await Promise.all(listed.map((link) => mergeOne(transaction, connection, link, now)));
  return changes.includes(true);
}

/**
 * Removes links that are no longer in the server's list. Links that were created in this browser are only marked as
 * unlisted, because some API keys cannot see all links. Returns true if a stored link changed.
 *
 * @param keys keys of the links that were read (see `linkKey`)
 * @param startedAt start time of the sync. Links that were created in this browser after this time may be missing from
 * the list.
 */
export async function removeUnlisted(
  transaction: WriteTransaction,
  connection: Connection,
  { keys, startedAt }: { keys: ReadonlySet<string>; startedAt: number },
): Promise<boolean> {
  const store = transaction.objectStore('links');
  const known = await store.index('connectionId').getAll(connection.id);
  const missing = known.filter(
    (link) =>
      !link.unlisted && !keys.has(linkKey(connection, link)) && (link.elsewhere === true || link.createdAt < startedAt),
  );
  await Promise.all(
    missing.map(async ({ clicks, ...link }) =>
      link.elsewhere ? store.delete(link.id) : store.put({ ...link, unlisted: true }),
    ),
  );
  return missing.length > 0;
}

/** Returns the connection whose service lists a link, or null if the link exists only in this browser. */
export function listingConnection({ connectionId, unlisted }: Link, connections: Connection[]): Connection | null {
  const connection = connections.find(({ id }) => id === connectionId);
  return connection && !unlisted && capabilitiesOf(connection).list ? connection : null;
}

/**
 * Stores a link that was edited at its server, as the server returned it. Does nothing if the link was deleted here.
 *
 * @param isTitleEdited false if the link keeps its title if the server has none
 */
export async function saveEditedLink(
  transaction: WriteTransaction,
  connection: Connection,
  linkId: string,
  listed: ListedLink,
  isTitleEdited: boolean,
): Promise<void> {
  const store = transaction.objectStore('links');
  const known = await store.get(linkId);
  if (!known) return;
  const merged = mergeListedLink(known, connection, listed, Date.now());
  await store.put(isTitleEdited ? { ...merged, title: listed.title ?? '' } : merged);
}

/** Returns the stored link, updated with the service's data. If there is no stored link, returns a new one. */
function mergeListedLink(known: Link | undefined, connection: Connection, listed: ListedLink, now: number): Link {
  const { title, createdAt: listedAt, ...reported } = listed;
  // Ignores creation times in the future, which would keep a link at the top of every list.
  const isKnownTime = listedAt !== null && listedAt <= now;
  const createdAt = isKnownTime ? listedAt : Math.min(known?.createdAt ?? now, now);
  const connectionId = connection.id;
  if (!known || known.elsewhere) {
    const id = known?.id ?? listedId(connection, listed);
    const listId = known?.listId ?? null;
    return { ...reported, id, connectionId, listId, title: title ?? '', createdAt, elsewhere: true };
  }
  const { unlisted, isRestricted, ...own } = known;
  // If the service has no title for a link that was created in this browser, the link keeps its current title. It also
  // keeps its date, which orders the links of a list, unless the clock was fast.
  const ownCreatedAt = known.createdAt > now ? createdAt : known.createdAt;
  return { ...own, ...reported, connectionId, title: title ?? known.title, createdAt: ownCreatedAt };
}

/** Stores one link from a service's list. Returns true if stored data changed. */
async function mergeOne(
  transaction: WriteTransaction,
  connection: Connection,
  listed: ListedLink,
  now: number,
): Promise<boolean> {
  const store = transaction.objectStore('links');
  const [withCode, withShortUrl] = await Promise.all([
    store.index('code').getAll([connection.id, listed.shortCode]),
    store.index('shortUrl').getAll(listed.shortUrl),
  ]);
  const known = [
    ...withCode
      .filter((link) => linkKey(connection, link) === linkKey(connection, listed))
      .sort((one, other) => Number(one.elsewhere ?? false) - Number(other.elsewhere ?? false)),
    // A link without a connection is the listed link if both the short URL and the long URL are equal.
    ...withShortUrl.filter(({ connectionId: owner, url }) => owner === null && url === listed.url),
  ];
  const link = mergeListedLink(known[0], connection, listed, now);
  const duplicates = known.filter(({ id }) => id !== link.id);
  for (const { id } of duplicates) await store.delete(id);
  if (JSON.stringify(known[0]) === JSON.stringify(link)) return duplicates.length > 0;
  await store.put(link);
  return true;
}
