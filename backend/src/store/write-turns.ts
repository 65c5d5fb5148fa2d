/**
 * Whose turn it is to write, where the engine takes one writer at a time. A connection that finds another one writing
 * would wait for it in its sleep, and with it everything else its thread has to do; asked for beforehand, a turn is
 * waited for awake.
 */
export interface WriteTurns {
  /** Calls back once nobody else writes; the turn ends when the callback returns. */
  take(write: () => void): void;
}

/** The turns of the thread that owns the database; it may lend one to another thread. */
export interface LendableTurns extends WriteTurns {
  /** Calls back with the turn, which lasts until `returned` is called. */
  lend(granted: (returned: () => void) => void): void;
}

export function createWriteTurns(): LendableTurns {
  let lent = false;
  let waiting: (() => void)[] = [];

  /** First come, first served: who finds the turn lent again on the way keeps their place. */
  function next(): void {
    const due = waiting;
    waiting = [];
    for (const start of due) start();
  }

  function take(write: () => void): void {
    if (lent) waiting.push(() => take(write));
    else write();
  }

  function lend(granted: (returned: () => void) => void): void {
    if (lent) {
      waiting.push(() => lend(granted));
      return;
    }
    lent = true;
    let over = false;
    granted(() => {
      if (over) return;
      over = true;
      lent = false;
      next();
    });
  }

  return { take, lend };
}
