import { EMPTY_STATE, newQueue } from '../queue/initial.ts';
import type { Connection, Link, Request } from '../queue/types.ts';
import { announce } from './changes.ts';
import { openDatabase, type WriteTransaction } from './database.ts';
import { resultOf } from './indexed-db.ts';
import { writeIn } from './transaction.ts';

/** What a file held, as it is to be kept. Connections come without keys, requests as undecided. */
export interface Imported {
  connections: Connection[];
  requests: Request[];
  links: Link[];
}

/** How many of each were new. */
export interface Added {
  connections: number;
  requests: number;
  links: number;
}

/**
 * Adds what is not there yet, all of it in one transaction: connections and requests by their ids, links by their short
 * URLs too. What is there stays as it is, so that adding twice is adding once. Written by the page that read the file: the
 * background carries nothing for it, and notices by the queues' revisions.
 */
export async function addImported(imported: Imported): Promise<Added> {
  const database = await openDatabase();
  try {
    const added = await writeIn(database, ['connections', 'queues', 'requests', 'links'], (transaction) =>
      add(transaction, imported),
    );
    await announce({ queues: true, links: true });
    return added;
  } finally {
    database.close();
  }
}

async function add(transaction: WriteTransaction, { connections, requests, links }: Imported): Promise<Added> {
  const [connectionIds, queues, requestIds, known] = await Promise.all([
    resultOf(transaction.objectStore('connections').getAllKeys()),
    resultOf(transaction.objectStore('queues').getAll()),
    resultOf(transaction.objectStore('requests').getAllKeys()),
    resultOf(transaction.objectStore('links').getAll()),
  ]);
  const there = new Set([...connectionIds, ...requestIds, ...known.flatMap(({ id, shortUrl }) => [id, shortUrl])]);
  /** Whether none of these names is taken; from now on they are. */
  const isNew = (...names: string[]) => {
    const isFree = names.every((name) => !there.has(name));
    for (const name of names) there.add(name);
    return isFree;
  };
  const newConnections = connections.filter(({ id }) => isNew(id));
  const newLinks = links.filter(({ id, shortUrl }) => isNew(id, shortUrl));
  // After the links: a request whose link is there, or in the same file, has ended.
  const newRequests = requests.filter(({ id }) => isNew(id));

  const records = new Map(queues.map((record) => [record.connectionId, record]));
  for (const connection of newConnections) {
    transaction.objectStore('connections').put(connection);
    // Nothing is sent before it has its key.
    const state = { ...EMPTY_STATE, halt: 'key_missing' as const };
    records.set(connection.id, { ...newQueue(connection), connectionId: connection.id, revision: '', state });
  }
  for (const request of newRequests) {
    const isAssigned = request.connectionId !== null && records.has(request.connectionId);
    transaction.objectStore('requests').put(isAssigned ? request : { ...request, connectionId: null });
  }
  const changed = new Set([...newConnections.map(({ id }) => id), ...newRequests.map((one) => one.connectionId)]);
  for (const { connectionId, state, budget } of records.values()) {
    // Whoever knows the queue at another revision reads it again.
    const record = { connectionId, revision: crypto.randomUUID(), state, budget };
    if (changed.has(connectionId)) transaction.objectStore('queues').put(record);
  }
  for (const link of newLinks) transaction.objectStore('links').put(link);
  return { connections: newConnections.length, requests: newRequests.length, links: newLinks.length };
}
