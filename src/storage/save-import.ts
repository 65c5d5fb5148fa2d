import { EMPTY_STATE, newQueue } from '../queue/add-replace-delete-connection.ts';
import type { Connection, Link } from '../queue/types.ts';
import { broadcastChange } from './change-broadcast.ts';
import { openDatabase, type WriteTransaction, writeIn } from './database.ts';

/** Content of an imported file, ready to be stored. The connections have no API keys. */
export interface Imported {
  connections: Connection[];
  links: Link[];
}

/** Numbers of imported entries. */
export interface Added {
  connections: number;
  links: number;
}

export type ExistingData = Imported;

/**
 * Stores the content of an imported file in one transaction.
 *
 * @param decide pure function that compares the file with the existing data and returns the records to store
 */
export async function saveImport(decide: (existing: ExistingData) => Imported): Promise<Added> {
  const database = await openDatabase();
  try {
    const added = await writeIn(database, ['connections', 'queues', 'links'], (transaction) =>
      add(transaction, decide),
    );
    await broadcastChange({ queues: true, links: true });
    return added;
  } finally {
    database.close();
  }
}

async function add(transaction: WriteTransaction, decide: (existing: ExistingData) => Imported): Promise<Added> {
  const [connectionStore, linkStore] = [transaction.objectStore('connections'), transaction.objectStore('links')];
  const [there, known] = await Promise.all([connectionStore.getAll(), linkStore.getAll()]);
  const { connections, links } = decide({ connections: there, links: known });
  for (const connection of connections) {
    await connectionStore.put(connection);
    // The queue is blocked until the user enters the API key.
    const state = { ...EMPTY_STATE, blocked: 'key_missing' as const };
    const { limits } = newQueue(connection);
    await transaction.objectStore('queues').put({ connectionId: connection.id, state, limits });
  }
  await Promise.all(links.map(async (link) => linkStore.put(link)));
  return { connections: connections.length, links: links.length };
}
