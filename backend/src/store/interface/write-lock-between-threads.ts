/**
 * Lock for writing to SQLite, which supports only one writer at a time. Without this lock, a second writer would
 * block its whole thread. Waiting for this lock does not block the thread.
 */
export interface WriteLock {
  /** Calls `write` when no other thread is writing. Releases the lock when `write` returns. */
  take(write: () => void): void;
}

/**
 * Write lock of the main thread. The lock can be lent to another thread, or to a transaction on another connection.
 */
export interface LendableWriteLock extends WriteLock {
  /** Calls `granted` when the lock is free. The lock is then held until `release` is called. */
  lend(granted: (release: () => void) => void): void;
}

export function createWriteLock(): LendableWriteLock {
  let isLent = false;
  let waiting: (() => void)[] = [];

  /**
   * Calls all waiting writers in order. If one writer borrows the lock, the remaining writers keep waiting in the
   * same order.
   */
  function next(): void {
    const due = waiting;
    waiting = [];
    for (const start of due) start();
  }

  function take(write: () => void): void {
    if (isLent) waiting.push(() => take(write));
    else write();
  }

  function lend(granted: (release: () => void) => void): void {
    if (isLent) {
      waiting.push(() => lend(granted));
      return;
    }
    isLent = true;
    let isReleased = false;
    granted(() => {
      if (isReleased) return;
      isReleased = true;
      isLent = false;
      next();
    });
  }

  return { take, lend };
}
