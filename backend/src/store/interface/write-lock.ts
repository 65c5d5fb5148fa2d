/**
 * Lock for a database that supports only one writer at a time. If another thread is writing, SQLite blocks the whole
 * waiting thread. Writers therefore wait for this lock first, which does not block the thread.
 */
export interface WriteLock {
  /** Calls `write` when no other thread is writing, and releases the lock when `write` returns. */
  take(write: () => void): void;
}

/** A write lock that the main thread can lend to another thread. */
export interface LendableWriteLock extends WriteLock {
  /** Calls `granted` when the lock is free. The lock is held until the other thread calls the `release` function. */
  lend(granted: (release: () => void) => void): void;
}

export function createWriteLock(): LendableWriteLock {
  let isLent = false;
  let waiting: (() => void)[] = [];

  /**
   * Calls all waiting writers in order. If one of them lends the lock to another thread, the following writers wait
   * again in the same order.
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
