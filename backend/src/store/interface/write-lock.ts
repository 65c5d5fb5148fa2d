/**
 * Lock for an engine that allows one writer at a time. A connection that meets another writer blocks its whole
 * thread. Writers therefore take this lock first and wait for it without blocking.
 */
export interface WriteLock {
  /** Calls `write` as soon as no other thread is writing. The lock is released when `write` returns. */
  take(write: () => void): void;
}

/** The lock of the thread that owns the database. It can be lent to another thread. */
export interface LendableWriteLock extends WriteLock {
  /** Calls `granted` with a function that releases the lock. */
  lend(granted: (release: () => void) => void): void;
}

export function createWriteLock(): LendableWriteLock {
  let isLent = false;
  let waiting: (() => void)[] = [];

  /**
   * Calls the waiting writers in order. If one of them lends the lock again, the others queue again in the same
   * order.
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
