import type { DatabaseSync } from 'node:sqlite';
import type { WriteLock } from '../interface/write-lock.ts';
import { isLock, isUnavailable, reportedAs } from './sqlite-errors.ts';

export interface GroupCommits {
  write<Result>(operation: () => Result): Promise<Result>;
  settled(): Promise<void>;
}

interface Waiting {
  operation(): unknown;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** Maximum time to wait for another process's write, and the pause between two attempts, in milliseconds. */
export const PATIENCE = 5000;
export const PAUSE = 20;
/** Maximum number of event loop ticks for which a group waits for more writes. */
const MAX_TICKS = 8;

/**
 * Commits the writes of one event loop tick together, because each commit waits for the disk. A group with several
 * writes waits a few ticks for more, but a single write does not wait. If another process has locked the file, the
 * group tries again later without blocking the thread.
 */
export function createGroupCommits(connection: DatabaseSync, writeLock: WriteLock, patience = PATIENCE): GroupCommits {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');
  let waiting: Waiting[] = [];
  let idle: (() => void)[] = [];
  let lockedSince: number | null = null;

  function grow(size: number, ticksLeft: number): void {
    if (waiting.length > size && ticksLeft > 0) setImmediate(grow, waiting.length, ticksLeft - 1);
    else writeLock.take(flush);
  }

  function flush(): void {
    const fault = begun();
    if (fault && isLock(fault)) {
      lockedSince ??= performance.now();
      if (performance.now() - lockedSince < patience) {
        setTimeout(writeLock.take, PAUSE, flush);
        return;
      }
    }
    lockedSince = null;
    const group = waiting;
    waiting = [];
    const settle = fault ? failed(group, fault) : executed(group);
    for (const resolve of idle) resolve();
    idle = [];
    for (const notify of settle) notify();
  }

  function begun(): Error | null {
    try {
      begin.run();
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  /** Runs a group of operations and commits them. Returns functions that report the results to the callers. */
  function executed(group: Waiting[]): (() => void)[] {
    try {
      const [first, ...others] = group;
      const settle = first && others.length === 0 ? [runAlone(first)] : group.map(run);
      commit.run();
      return settle;
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      return failed(group, error);
    }
  }

  /**
   * Runs a single operation without a savepoint, because savepoints are slow. If the operation fails, the whole
   * transaction is rolled back.
   */
  function runAlone({ operation, resolve }: Waiting): () => void {
    const result = operation() as never;
    return () => resolve(result);
  }

  /**
   * Runs one operation of a group in a savepoint. If the operation fails, only its own changes are rolled back.
   * Returns a function that reports the result to the caller and must be called after the commit.
   */
  function run({ operation, resolve, reject }: Waiting): () => void {
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

  function failed(group: Waiting[], fault: unknown): (() => void)[] {
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
