import type { IDBPDatabase } from 'idb';
import type { Queue, Request } from '../../queue/types.ts';
import type { UpgradeTransaction } from './migrations.ts';

interface OldRequest extends Request {
  position?: number;
  /** True if the request came from a paused queue. */
  onHold?: true;
}

/**
 * Removes the fields `position` and `onHold` from requests. If a request had `onHold`, its whole queue is paused. The
 * queue then sends nothing until the user resumes it.
 */
export async function dropPauseMarksAndPositions(
  _database: IDBPDatabase,
  transaction: UpgradeTransaction,
): Promise<void> {
  const requests = transaction.objectStore('requests');
  for (const { position, onHold, ...request } of (await requests.getAll()) as OldRequest[]) {
    if (position === undefined && !onHold) continue;
    await requests.put(request);
    if (onHold && request.connectionId !== null) await pause(transaction, request.connectionId);
  }
}

async function pause(transaction: UpgradeTransaction, connectionId: string): Promise<void> {
  const queues = transaction.objectStore('queues');
  const record: Pick<Queue, 'state'> | undefined = await queues.get(connectionId);
  if (record) await queues.put({ ...record, state: { ...record.state, onHold: true } });
}
