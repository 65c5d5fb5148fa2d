import type { IDBPTransaction, StoreNames } from 'idb';
import { freshBudget } from '../queue/budget.ts';
import { EMPTY_QUEUE } from '../queue/initial.ts';
import type { Budget, ConnectionInfo, QueueState, Snapshot } from '../queue/types.ts';
import type { Schema } from './database.ts';
import type { PrivateMemory } from './private-memory.ts';

type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Schema, StoreNames<Schema>[], Mode>;

/** Reads everything the rules decide on, inside the transaction that may go on to write it. */
export async function readSnapshot<Mode extends IDBTransactionMode>(
  transaction: Transaction<Mode>,
  memory: PrivateMemory,
): Promise<Snapshot> {
  const state = transaction.objectStore('state');
  const queue = ((await state.get('queue')) as QueueState | undefined) ?? EMPTY_QUEUE;
  const connection = ((await state.get('connection')) as ConnectionInfo | undefined) ?? null;
  const kept = connection && ((await state.get(`budget:${connection.id}`)) as Budget | undefined);
  const requests = await transaction.objectStore('requests').getAll();
  return {
    connection,
    queue: { ...queue, attempt: queue.attempt ?? memory.attempt },
    budget: connection && (kept ?? freshBudget(connection.id)),
    requests: [...requests, ...memory.requests].sort((one, other) => one.createdAt - other.createdAt),
  };
}
