import { EMPTY_STATE, newQueue } from '../queue/add-replace-delete-connection.ts';
import type { Connection, Link, Request } from '../queue/types.ts';
import { broadcastChange } from './change-broadcast.ts';
import { openDatabase, resultOf, type WriteTransaction, writeIn } from './database.ts';

/** What a file held, as it is to be kept. Connections come without keys, requests as undecided. */
export interface Imported {
  connections: Connection[];
  requests: Request[];
  links: Link[];
  /** Requests here that have become one of the links: they end. */
  ended: Request[];
}

/** How many of each were new. */
export interface Added {
  connections: number;
  requests: number;
  links: number;
}

/** What is there to hold a file against. */
export interface ExistingData {
  connections: Connection[];
  /** Those that have not ended. */
  requests: Request[];
  links: Link[];
}

/**
 * Adds what `decide` makes of what is there, read and written in one transaction: whatever has changed since the file was
 * looked at, it is held against what is there now. Written by the page that read the file: the background carries nothing
 * for it, and notices by the queues' revisions.
 *
 * @param decide pure; what it names as new must be new, and in a connection that is there or new
 */
export async function saveImport(decide: (here: ExistingData) => Imported): Promise<Added> {
  const database = await openDatabase();
  try {
    const added = await writeIn(database, ['connections', 'queues', 'requests', 'links'], (transaction) =>
      add(transaction, decide),
    );
    await broadcastChange({ queues: true, links: true });
    return added;
  } finally {
    database.close();
  }
}

async function add(transaction: WriteTransaction, decide: (here: ExistingData) => Imported): Promise<Added> {
  const [there, queues, waiting, known] = await Promise.all([
    resultOf(transaction.objectStore('connections').getAll()),
    resultOf(transaction.objectStore('queues').getAll()),
    resultOf(transaction.objectStore('requests').getAll()),
    resultOf(transaction.objectStore('links').getAll()),
  ]);
  const records = new Map(queues.map((record) => [record.connectionId, record]));
  const { connections, requests, links, ended } = decide({
    connections: there,
    requests: waiting,
    links: known,
  });
  for (const connection of connections) {
    transaction.objectStore('connections').put(connection);
    // Nothing is sent before it has its key.
    const state = { ...EMPTY_STATE, halt: 'key_missing' as const };
    records.set(connection.id, { ...newQueue(connection), connectionId: connection.id, revision: '', state });
  }
  for (const { id } of ended) transaction.objectStore('requests').delete(id);
  for (const request of requests) transaction.objectStore('requests').put(request);
  const changed = new Set([
    ...connections.map(({ id }) => id),
    ...[...requests, ...ended].map((one) => one.connectionId),
  ]);
  for (const { connectionId, state, budget } of records.values()) {
    // Whoever knows the queue at another revision reads it again.
    const record = { connectionId, revision: crypto.randomUUID(), state, budget };
    if (changed.has(connectionId)) transaction.objectStore('queues').put(record);
  }
  for (const link of links) transaction.objectStore('links').put(link);
  return { connections: connections.length, requests: requests.length, links: links.length };
}
