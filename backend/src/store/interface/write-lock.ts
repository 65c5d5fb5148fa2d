/**
 * Who may write, for an engine that takes one writer at a time. A connection that finds another one writing blocks its
 * thread, and with it everything else the thread has to do. So writers ask for this lock first, and wait without blocking.
 */
export interface WriteLock {
  /** Calls back once nobody else writes; the lock is free again when the callback returns. */
  take(write: () => void): void;
}

/** The lock of the thread that owns the database; it may lend it to another thread. */
export interface LendableWriteLock extends WriteLock {
  /** Calls back with the lock, which is held until `release` is called. */
  lend(granted: (release: () => void) => void): void;
}

export function createWriteLock(): LendableWriteLock {
  let isLent = false;
  let waiting: (() => void)[] = [];

  /** First come, first served: those who find the lock lent again keep waiting, in the same order. */
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
