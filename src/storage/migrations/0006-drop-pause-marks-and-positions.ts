import type { Queue, Request } from '../../queue/types.ts';

interface OldRequest extends Request {
  position?: number;
  /** True if the request came from a paused queue. */
  onHold?: true;
}

/**
 * Drops the position and the pause mark of requests. If any request in a queue has a pause mark, pauses the whole
 * queue, so that the request is not sent until the user resumes the queue.
 */
export function dropPauseMarksAndPositions(_database: IDBDatabase, transaction: IDBTransaction): void {
  const requests = transaction.objectStore('requests');
  const reading: IDBRequest<OldRequest[]> = requests.getAll();
  reading.onsuccess = () => {
    for (const { position, onHold, ...request } of reading.result) {
      if (position === undefined && !onHold) continue;
      requests.put(request);
      if (onHold && request.connectionId !== null) pause(transaction, request.connectionId);
    }
  };
}

function pause(transaction: IDBTransaction, connectionId: string): void {
  const queues = transaction.objectStore('queues');
  const reading: IDBRequest<Pick<Queue, 'state'> | undefined> = queues.get(connectionId);
  reading.onsuccess = () => {
    const record = reading.result;
    if (record) queues.put({ ...record, state: { ...record.state, onHold: true } });
  };
}
