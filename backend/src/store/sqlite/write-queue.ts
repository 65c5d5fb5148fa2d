import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { StoreFull, StoreUnavailable } from '../store-errors.ts';

/** `FULL`: the commit waits for the disk. `NORMAL`: a power failure can undo the last commits. */
type Synchronous = 'FULL' | 'NORMAL';

interface PendingWrite {
  synchronous: Synchronous;
  work(): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** Maximum time to wait for another process's write, in milliseconds. `PAUSE` is the pause between two attempts. */
const LOCK_TIMEOUT = 5000;
const PAUSE = 20;
/** Number of event loop ticks to wait for more writes, because a commit that waits for the disk is slow. */
const TICKS = 3;

export type WriteQueue = ReturnType<typeof createWriteQueue>;

/**
 * Creates the queue for all writes on a connection. Everything that waits is committed together, because each commit
 * waits for the disk. If another process has locked the file, the queue waits without blocking the thread.
 */
export function createWriteQueue(connection: DatabaseSync, lockTimeout = LOCK_TIMEOUT) {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');
  let waiting: PendingWrite[] = [];
  let current: Synchronous | null = null;
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    for (let first = waiting[0]; first; first = waiting[0]) {
      if (first.synchronous === 'FULL') for (let tick = 0; tick < TICKS; tick += 1) await nextTick();
      await commitGroup(first.synchronous);
    }
    draining = null;
  }

  /** Commits the writes that wait for the same kind of commit. */
  async function commitGroup(synchronous: Synchronous): Promise<void> {
    let group: PendingWrite[] = [];
    const takeGroup = () => {
      group = waiting.filter((write) => write.synchronous === synchronous);
      waiting = waiting.filter((write) => write.synchronous !== synchronous);
    };
    try {
      await beginTransaction(synchronous).finally(takeGroup);
      const notifications: (() => void)[] = [];
      for (const write of group) notifications.push(await execute(write));
      commit.run();
      for (const notify of notifications) notify();
    } catch (error) {
      rollBack();
      const reported = reportedAs(error);
      for (const { reject } of group) reject(reported);
    }
  }

  async function beginTransaction(synchronous: Synchronous): Promise<void> {
    if (synchronous !== current) connection.exec(`PRAGMA synchronous = ${synchronous}`);
    current = synchronous;
    const start = performance.now();
    for (;;) {
      try {
        begin.run();
        return;
      } catch (error) {
        if (codeOf(error) !== BUSY || performance.now() - start >= lockTimeout) throw error;
      }
      await sleep(PAUSE);
    }
  }

  function rollBack(): void {
    try {
      if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK');
    } catch {
      // The next group then fails too, because it cannot begin a transaction, and rolls back again.
    }
  }

  /**
   * Runs one write of a group in a savepoint. If the write fails, only its own changes are rolled back. Returns a
   * function that reports the result to the caller and must be called after the commit.
   */
  async function execute({ work, resolve, reject }: PendingWrite): Promise<() => void> {
    savepoint.run();
    try {
      const result = (await work()) as never;
      release.run();
      return () => resolve(result);
    } catch (error) {
      // If the disk is full or broken, SQLite may have rolled back the whole transaction.
      if (!connection.isTransaction || UNAVAILABLE.has(codeOf(error))) throw error;
      undo.run();
      release.run();
      return () => reject(reportedAs(error));
    }
  }

  return {
    /**
     * Runs `work` in a transaction. If `work` throws, its changes are rolled back. `work` must only use the connection
     * of the queue.
     */
    run: <Result>(synchronous: Synchronous, work: () => Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        waiting.push({ synchronous, work, resolve, reject });
        draining ??= drain();
      }),
    /** Waits until all writes have ended. */
    async settled(): Promise<void> {
      while (draining) await draining;
    },
  };
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

/** Errors that a retry may resolve or that the operator can fix. */
const UNAVAILABLE = new Set([BUSY, READONLY, IOERR, FULL, CANTOPEN]);

/**
 * Extended code of a broken foreign key. All references are to rows that were just read, so it means that an account
 * was deleted meanwhile.
 */
const BROKEN_REFERENCE = 787;

/** Converts a temporary error to StoreUnavailable. Any other error is returned unchanged. */
export function reportedAs(error: unknown): unknown {
  if ((error as { errcode?: number }).errcode === BROKEN_REFERENCE) return new StoreUnavailable(error);
  const code = codeOf(error);
  if (!UNAVAILABLE.has(code)) return error;
  return code === FULL ? new StoreFull(error) : new StoreUnavailable(error);
}

/** Returns the primary code of an error, which is the lowest byte of its extended result code. */
function codeOf(error: unknown): number {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;
}
