import { sortByQueueOrder } from '../queue/next-step.ts';
import type { Link, Queue, RequestList, VisibleQueues } from '../queue/types.ts';
import { inTransaction, openDatabase, type ReadTransaction, type StoreName } from './database.ts';
import { findLinks, type LinkQuery, queryLinks } from './links.ts';

/* Reads stored data from the database. Pages use these functions, so that the background worker need not start. */

/** A bulk list, and the links that its requests have created or reused. */
export interface VisibleList {
  list: RequestList;
  links: Link[];
}

/** Returns the queues, the default connection's first. */
export function readStoredQueues(): Promise<VisibleQueues> {
  return read(['queues', 'requests'], loadQueues);
}

/** Returns the links that match a query. */
export function readLinks(query: LinkQuery = {}): Promise<Link[]> {
  return read(['links'], (transaction) => queryLinks(transaction, query));
}

/** Reads a bulk list and its links. Returns null if the bulk list does not exist. */
export function readList(id: string): Promise<VisibleList | null> {
  return read(['lists', 'links', 'requests'], async (transaction) => {
    const [list, unfinished] = await Promise.all([
      transaction.objectStore('lists').get(id),
      transaction.objectStore('requests').index('listId').getAllKeys(id),
    ]);
    if (!list) return null;
    // Unfinished requests have no links yet, so their ids are left out of the lookup.
    const ids = new Set(list.ids).difference(new Set(unfinished));
    return { list, links: await findLinks(transaction, { ids: [...ids] }) };
  });
}

/** The database is closed after each read, so that no page delays an update or a deletion of the database. */
async function read<T>(stores: StoreName[], work: (transaction: ReadTransaction) => Promise<T>): Promise<T> {
  const database = await openDatabase();
  try {
    return await inTransaction(database, stores, 'readonly', work);
  } finally {
    database.close();
  }
}

/** Reads all queues. */
export async function loadQueues(transaction: ReadTransaction): Promise<VisibleQueues> {
  const [records, requests] = await Promise.all([
    transaction.objectStore('queues').getAll(),
    transaction.objectStore('requests').getAll(),
  ]);
  const byConnection = Map.groupBy(requests.sort(sortByQueueOrder), ({ connectionId }) => connectionId);
  const queues = records.map((record): Queue => {
    return { ...record, requests: byConnection.get(record.connection.id) ?? [] };
  });
  return { queues: queues.sort(byPreference) };
}

/**
 * Sorts the default connection first, and connections without an API key last. Connections without an API key come
 * from an imported file and must not become the default.
 */
export function byPreference(one: Queue, other: Queue): number {
  const keyless = ({ state }: Queue) => Number(state.blocked === 'key_missing');
  return keyless(one) - keyless(other) || other.connection.preferredAt - one.connection.preferredAt;
}
