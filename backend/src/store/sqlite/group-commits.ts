import type { DatabaseSync } from 'node:sqlite';
import type { WriteLock } from '../interface/write-lock-between-threads.ts';
import { isLock, isUnavailable, reportedAs } from './sqlite-errors.ts';

export interface GroupCommits {
  write<Result>(operation: () => Result): Promise<Result>;
  settled(): Promise<void>;
}

interface PendingWrite {
  operation(): unknown;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** Maximum time to wait for another process's write, in milliseconds. `PAUSE` is the pause between two attempts. */
export const LOCK_TIMEOUT = 5000;
export const PAUSE = 20;
/** Maximum number of event loop ticks to wait for more writes before a group is committed. */
const MAX_TICKS = 8;

/**
 * Commits several writes together, because each commit waits for the disk. A single write is not delayed, but a group
 * of writes waits a few event loop ticks for more writes. If another process has locked the file, the commit is
 * retried later without blocking the thread.
 */
export function createGroupCommits(
  connection: DatabaseSync,
  writeLock: WriteLock,
  lockTimeout = LOCK_TIMEOUT,
): GroupCommits {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');
  let waiting: PendingWrite[] = [];
  let idle: (() => void)[] = [];
  let lockedSince: number | null = null;

  function grow(size: number, ticksLeft: number): void {
    if (waiting.length > size && ticksLeft > 0) setImmediate(grow, waiting.length, ticksLeft - 1);
    else writeLock.take(flush);
  }

  function flush(): void {
    const fault = tryBegin();
    if (fault && isLock(fault)) {
      lockedSince ??= performance.now();
      if (performance.now() - lockedSince < lockTimeout) {
        setTimeout(writeLock.take, PAUSE, flush);
        return;
      }
    }
    lockedSince = null;
    const group = waiting;
    waiting = [];
    const notifications = fault ? rejectGroup(group, fault) : executeGroup(group);
    for (const resolve of idle) resolve();
    idle = [];
    for (const notify of notifications) notify();
  }

  function tryBegin(): Error | null {
    try {
      begin.run();
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  /** Runs a group of operations and commits them. Returns functions that report the results to the callers. */
  function executeGroup(group: PendingWrite[]): (() => void)[] {
    try {
      const [first, ...others] = group;
      const notifications = first && others.length === 0 ? [runAlone(first)] : group.map(run);
      commit.run();
      return notifications;
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      return rejectGroup(group, error);
    }
  }

  /**
   * Runs a single operation without a savepoint, because savepoints are slow. If the operation fails, the whole
   * transaction is rolled back.
   */
  function runAlone({ operation, resolve }: PendingWrite): () => void {
    const result = operation() as never;
    return () => resolve(result);
  }

  /**
   * Runs one operation of a group in a savepoint. If the operation fails, only its own changes are rolled back.
   * Returns a function that reports the result to the caller and must be called after the commit.
   */
  function run({ operation, resolve, reject }: PendingWrite): () => void {
    savepoint.run();
    try {
      const result = operation() as never;
      release.run();
      return () => resolve(result);
    } catch (error) {
      // If the disk is full or broken, SQLite may have rolled back the whole transaction.
      if (isUnavailable(error)) throw error;
      undo.run();
      release.run();
      return () => reject(error);
    }
  }

  function rejectGroup(group: PendingWrite[], fault: unknown): (() => void)[] {
    const error = reportedAs(fault);
    return group.map(
      ({ reject }) =>
        () =>
          reject(error),
    );
  }

  return {
    write: (operation) =>
      new Promise((resolve, reject) => {
        waiting.push({ operation, resolve, reject });
        if (waiting.length === 1) setImmediate(grow, 1, MAX_TICKS);
      }),
    settled: () => (waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
