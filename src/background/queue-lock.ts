/** Maximum time to wait for another background worker, for example of the previous version, to end. */
const MAX_WAIT_MS = 10_000;

/**
 * Returns a function that waits until this background worker owns the queues. It owns them until it ends, because the
 * browser then releases the lock.
 *
 * @param locks `navigator.locks`
 */
export function queueLock(locks: Pick<LockManager, 'request'> = navigator.locks): () => Promise<void> {
  let owned: Promise<void> | null = null;
  return () => {
    owned ??= acquire(locks).catch((error) => {
      owned = null;
      throw error;
    });
    return owned;
  };
}

/** @throws TimeoutError if another background worker still owns the queues */
function acquire(locks: Pick<LockManager, 'request'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve();
      return new Promise(() => undefined);
    };
    locks.request('queues', { signal: AbortSignal.timeout(MAX_WAIT_MS) }, hold).catch(reject);
  });
}
