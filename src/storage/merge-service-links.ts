import { FEATURE } from '@terse/contract/service-capabilities';
import type { Connection, Link, ListReading } from '../queue/types.ts';
import { hasFeature, type ListedLink } from '../services/service-adapter.ts';
import { broadcastChange } from './change-broadcast.ts';
import { type Database, resultOf, type WriteTransaction, writeIn } from './database.ts';
import { isMarked, readMarks } from './private-memory.ts';

/*
 * Merges a service's list of links with the links that were created here. A page writes the list while the background writes
 * new links. Two records are the same link if their connection and short code are equal.
 */

/** Returns the id of a listed link that was not created here. There is one for each short code of a connection. */
export function listedId(connectionId: string, shortCode: string): string {
  return `${connectionId}/${shortCode}`;
}

/** The links that a sync has seen. */
export interface Seen {
  codes: ReadonlySet<string>;
  /** Start of the sync. Links that were created here later may be missing from the list. */
  startedAt: number;
  /** Creation time of the oldest link read, by the service's clock; null if the whole list was read. */
  oldest: number | null;
}

/**
 * Stores one page of a service's list. Skips links that a private window may have created.
 *
 * @param connection the connection as it was when the list was requested
 * @param now time in milliseconds
 * @returns true if a link changed; null if the connection was deleted or changed, so nothing was stored
 */
export async function mergeListedLinks(
  database: Database,
  connection: Connection,
  listed: ListedLink[],
  now: number,
): Promise<boolean | null> {
  // Private links are marked before they are sent, so marks that are read after the list cover all links in it.
  const marks = await readMarks();
  return writeIn(database, ['connections', 'links'], async (transaction) => {
    if (!(await currentConnection(transaction, connection))) return null;
    const changes = await Promise.all(listed.map((link) => mergeOne(transaction, connection.id, link, marks, now)));
    return changes.includes(true);
  });
}

/**
 * Removes links that the service no longer lists, and records the sync. Links that were created here stay and are marked as
 * unlisted, because an API key may see only some links.
 *
 * @returns true if a link changed; null if the connection was deleted or changed
 */
export async function removeUnlisted(
  database: Database,
  connection: Connection,
  seen: Seen,
  listRead: ListReading,
): Promise<boolean | null> {
  return writeIn(database, ['connections', 'links'], async (transaction) => {
    const current = await currentConnection(transaction, connection);
    if (!current) return null;
    transaction.objectStore('connections').put({ ...current, listRead });
    const store = transaction.objectStore('links');
    const known = await resultOf(store.index('connectionId').getAll(connection.id));
    const missing = known.filter((link) => !link.unlisted && isMissing(link, seen));
    for (const { clicks, ...link } of missing) {
      if (link.elsewhere) store.delete(link.id);
      else store.put({ ...link, unlisted: true });
    }
    return missing.length > 0;
  });
}

/** Returns the connection whose service lists a link; null if the link is stored only in this browser. */
export function listingConnection({ connectionId, unlisted }: Link, connections: Connection[]): Connection | null {
  const connection = connections.find(({ id }) => id === connectionId);
  return connection && !unlisted && hasFeature(connection, FEATURE.links) ? connection : null;
}

/** Stores a link that was edited at its service, unless it was deleted meanwhile. */
export async function saveEditedLink(database: Database, edited: Link): Promise<void> {
  const isSaved = await writeIn(database, ['links'], async (transaction) => {
    const store = transaction.objectStore('links');
    const exists = (await resultOf(store.get(edited.id))) !== undefined;
    if (exists) store.put(edited);
    return exists;
  });
  if (isSaved) await broadcastChange({ queues: false, links: true, added: [edited] });
}

/** Returns the known link with the service's current data, or a new link if none is known. */
export function mergeListedLink(known: Link | undefined, connectionId: string, listed: ListedLink, now: number): Link {
  const { title, createdAt: listedAt, ...reported } = listed;
  // A future date would keep the link first in every list. If this computer's clock is wrong, a later sync fixes the date.
  const createdAt = listedAt <= now ? listedAt : Math.min(known?.createdAt ?? now, now);
  if (!known) {
    const id = listedId(connectionId, listed.shortCode);
    return {
      ...reported,
      id,
      connectionId,
      groupId: null,
      title: title ?? '',
      createdAt,
      private: false,
      elsewhere: true,
    };
  }
  const { unlisted, ...rest } = known;
  // A link that was created here keeps the page's title if the service has none.
  return known.elsewhere
    ? { ...rest, ...reported, connectionId, title: title ?? '', createdAt }
    : { ...rest, ...reported, connectionId, title: title ?? known.title };
}

/** Stores one listed link. Returns true if anything changed. */
async function mergeOne(
  transaction: WriteTransaction,
  connectionId: string,
  listed: ListedLink,
  marks: ReadonlySet<number>,
  now: number,
): Promise<boolean> {
  const store = transaction.objectStore('links');
  const [withCode, withShortUrl] = await Promise.all([
    resultOf(store.index('code').getAll([connectionId, listed.shortCode])),
    resultOf(store.index('shortUrl').getAll(listed.shortUrl)),
  ]);
  const known = [
    // Links that were created here come first.
    ...withCode.sort((one, other) => Number(one.elsewhere ?? false) - Number(other.elsewhere ?? false)),
    // A link without a connection joins this one if both URLs are equal. If they differ, another service may own it.
    ...withShortUrl.filter(({ connectionId: owner, url }) => owner === null && url === listed.url),
  ];
  // A link that is stored already is not private, even if a private window received the same one.
  if (!known[0] && isMarked(listed, marks)) return false;
  const link = mergeListedLink(known[0], connectionId, listed, now);
  const duplicates = known.filter(({ id }) => id !== link.id);
  for (const { id } of duplicates) store.delete(id);
  if (known[0] && isSame(known[0], link)) return duplicates.length > 0;
  store.put(link);
  return true;
}

function isSame(one: Link, other: Link): boolean {
  return (
    one.url === other.url &&
    one.title === other.title &&
    one.shortUrl === other.shortUrl &&
    one.expiresAt === other.expiresAt &&
    one.createdAt === other.createdAt &&
    one.clicks === other.clicks &&
    one.connectionId === other.connectionId &&
    one.unlisted === other.unlisted
  );
}

/** True if the sync should have seen the link but did not. */
function isMissing({ shortCode, elsewhere, createdAt }: Link, { codes, startedAt, oldest }: Seen): boolean {
  if (codes.has(shortCode)) return false;
  if (oldest !== null) return elsewhere === true && createdAt > oldest;
  return elsewhere === true || createdAt < startedAt;
}

/** Returns the stored connection; null if it was deleted, or has another address or API key, whose list would differ. */
async function currentConnection(
  transaction: WriteTransaction,
  { id, baseUrl, lastFour }: Connection,
): Promise<Connection | null> {
  const current = await resultOf(transaction.objectStore('connections').get(id));
  return current && current.baseUrl === baseUrl && current.lastFour === lastFour ? current : null;
}
