import { EMPTY_STATE, newQueue } from '../queue/add-replace-delete-connection.ts';
import type { Connection, Link, Request } from '../queue/types.ts';
import { broadcastChange } from './change-broadcast.ts';
import { openDatabase, type WriteTransaction, writeIn } from './database.ts';

/**
 * Content of an imported file, ready to be stored. The connections have no API keys. The user must review each
 * request, because the file does not show whether it was sent.
 */
export interface Imported {
  connections: Connection[];
  requests: Request[];
  links: Link[];
  /** Requests to delete from the database, because the imported file already contains their links. */
  ended: Request[];
}

export interface Added {
  connections: number;
  requests: number;
  links: number;
}

export interface ExistingData {
  connections: Connection[];
  requests: Request[];
  links: Link[];
}

/**
 * Stores the content of an imported file in one transaction.
 *
 * @param decide pure function that compares the file with the existing data and returns the records to store. Each
 * request and link must have an existing or a new connection.
 */
export async function saveImport(decide: (existing: ExistingData) => Imported): Promise<Added> {
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

async function add(transaction: WriteTransaction, decide: (existing: ExistingData) => Imported): Promise<Added> {
  const [there, queues, waiting, known] = await Promise.all([
    transaction.objectStore('connections').getAll(),
    transaction.objectStore('queues').getAll(),
    transaction.objectStore('requests').getAll(),
    transaction.objectStore('links').getAll(),
  ]);
  const records = new Map(queues.map((record) => [record.connectionId, record]));
  const { connections, requests, links, ended } = decide({
    connections: there,
    requests: waiting,
    links: known,
  });
  for (const connection of connections) {
    await transaction.objectStore('connections').put(connection);
    // The queue is blocked until the user enters the API key.
    const state = { ...EMPTY_STATE, halt: 'key_missing' as const };
    records.set(connection.id, { ...newQueue(connection), connectionId: connection.id, revision: '', state });
  }
  for (const { id } of ended) await transaction.objectStore('requests').delete(id);
  for (const request of requests) await transaction.objectStore('requests').put(request);
  const changed = new Set([
    ...connections.map(({ id }) => id),
    ...[...requests, ...ended].map((one) => one.connectionId),
  ]);
  for (const { connectionId, state, limits } of records.values()) {
    // The new revision makes the background worker read the queue again.
    const record = { connectionId, revision: crypto.randomUUID(), state, limits };
    if (changed.has(connectionId)) await transaction.objectStore('queues').put(record);
  }
  await Promise.all(links.map(async (link) => transaction.objectStore('links').put(link)));
  return { connections: connections.length, requests: requests.length, links: links.length };
}
