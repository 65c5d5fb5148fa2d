import { FEATURE } from '@terse/contract/service-capabilities';
import type { Connection, Link, ListReading } from '../queue/types.ts';
import { hasFeature, type ListedLink } from '../services/service-adapter.ts';
import { isShortUrlOf } from '../urls/shortenable-url.ts';
import { broadcastChange } from './change-broadcast.ts';
import { type Database, resultOf, type WriteTransaction, writeIn } from './database.ts';
import { isMarked, readMarks } from './private-memory.ts';

/** The id of a link that a service listed and that was not made here: one for each code of a connection. */
export function listedId(connectionId: string, shortCode: string): string {
  return `${connectionId}/${shortCode}`;
}

/*
 * What services list, beside what was made here, in one store: written by the page that reads the list, while the background
 * writes what it makes. A link is the same where connection and short code are the same.
 */

/** Which links a reading has seen. */
export interface Seen {
  codes: ReadonlySet<string>;
  /** Links made here after this may be missing: the list was read past their place. */
  startedAt: number;
  /** How far back the list was read, by the service's clock; null: to its end. */
  oldest: number | null;
}

/**
 * Stores what a service has listed, except links that private windows may have made.
 *
 * @param connection as it was when the list was asked for
 * @param now in milliseconds
 * @returns whether anything is different now; null: the connection is gone or leads elsewhere, and nothing was kept
 */
export async function mergeListedLinks(
  database: Database,
  connection: Connection,
  listed: ListedLink[],
  now: number,
): Promise<boolean | null> {
  // Read after the list came: links are marked before their requests are sent.
  const marks = await readMarks();
  return writeIn(database, ['connections', 'links'], async (transaction) => {
    if (!(await unchanged(transaction, connection))) return null;
    const changes = await Promise.all(listed.map((link) => mergeOne(transaction, connection, link, marks, now)));
    return changes.includes(true);
  });
}

/**
 * Takes out what a service lists no more, and notes the reading. What was made here stays, as unlisted: a key may see no
 * links but its own.
 *
 * @returns as `keepListed`
 */
export async function removeUnlisted(
  database: Database,
  connection: Connection,
  seen: Seen,
  listRead: ListReading,
): Promise<boolean | null> {
  return writeIn(database, ['connections', 'links'], async (transaction) => {
    const now = await unchanged(transaction, connection);
    if (!now) return null;
    transaction.objectStore('connections').put({ ...now, listRead });
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

/** Deletes the links that no connected service lists. A listed link would come back as soon as the list is read again. */
export async function deleteUnlisted(transaction: WriteTransaction): Promise<void> {
  const connections = await resultOf(transaction.objectStore('connections').getAll());
  const store = transaction.objectStore('links');
  for (const link of await resultOf(store.getAll())) if (!listingConnection(link, connections)) store.delete(link.id);
}

/** The connection whose service lists a link; null: the link is stored in this browser alone. */
export function listingConnection({ connectionId, unlisted }: Link, connections: Connection[]): Connection | null {
  const connection = connections.find(({ id }) => id === connectionId);
  return connection && !unlisted && hasFeature(connection, FEATURE.links) ? connection : null;
}

/** Keeps a link as the service has just answered it after an edit; `title` is the person's, be it empty. */
export async function saveEditedLink(database: Database, edited: Link): Promise<void> {
  const kept = await writeIn(database, ['links'], async (transaction) => {
    const store = transaction.objectStore('links');
    const isThere = (await resultOf(store.get(edited.id))) !== undefined;
    if (isThere) store.put(edited);
    return isThere;
  });
  if (kept) await broadcastChange({ queues: false, links: true, added: [edited] });
}

/** The link that is known, with what the service says of it now (in milliseconds); one that is not known was made elsewhere. */
export function mergeListedLink(known: Link | undefined, connectionId: string, listed: ListedLink, now: number): Link {
  const { title, createdAt: dated, ...reported } = listed;
  // A date in the future would keep it first in every list until then. Where this clock is the wrong one, a later reading mends the date.
  const createdAt = dated <= now ? dated : Math.min(known?.createdAt ?? now, now);
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
  const { unlisted, unconfirmed, ...kept } = known;
  // The title of the page it was made on says more than none.
  return known.elsewhere
    ? { ...kept, ...reported, connectionId, title: title ?? '', createdAt }
    : { ...kept, ...reported, connectionId, title: title ?? known.title };
}

async function mergeOne(
  transaction: WriteTransaction,
  connection: Connection,
  listed: ListedLink,
  marks: ReadonlySet<number>,
  now: number,
): Promise<boolean> {
  const connectionId = connection.id;
  const store = transaction.objectStore('links');
  const [ofCode, ofShortUrl] = await Promise.all([
    resultOf(store.index('code').getAll([connectionId, listed.shortCode])),
    resultOf(store.index('shortUrl').getAll(listed.shortUrl)),
  ]);
  // One of no connection comes to the connection that has it, if it tells the same of it. Where a short URL leads that the service
  // gives out, no file knows better: its link may have been edited since.
  const known = [
    ...ofCode.sort((one, other) => Number(one.elsewhere ?? false) - Number(other.elsewhere ?? false)),
    ...ofShortUrl.filter(
      ({ connectionId: owner, url, unconfirmed }) =>
        owner === null &&
        (url === listed.url || (unconfirmed && isShortUrlOf(connection.service?.shortBaseUrl, listed.shortUrl))),
    ),
  ];
  // A link that is on disk already is not private, even if a private window was given the same one.
  if (!known[0] && isMarked(listed, marks)) return false;
  const link = mergeListedLink(known[0], connectionId, listed, now);
  const others = known.filter(({ id, connectionId: owner, unconfirmed }) => id !== link.id && (owner || unconfirmed));
  for (const { id } of others) store.delete(id);
  if (known[0] && isSame(known[0], link)) return others.length > 0;
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

function isMissing({ shortCode, elsewhere, createdAt }: Link, { codes, startedAt, oldest }: Seen): boolean {
  if (codes.has(shortCode)) return false;
  if (oldest !== null) return elsewhere === true && createdAt > oldest;
  return elsewhere === true || createdAt < startedAt;
}

/** The connection as it is now; null where it is gone, or another account's: an answer to one key is no list of another's. */
async function unchanged(
  transaction: WriteTransaction,
  { id, baseUrl, lastFour }: Connection,
): Promise<Connection | null> {
  const now = await resultOf(transaction.objectStore('connections').get(id));
  return now && now.baseUrl === baseUrl && now.lastFour === lastFour ? now : null;
}
