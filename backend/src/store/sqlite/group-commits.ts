import type { DatabaseSync } from 'node:sqlite';
import type { WriteLock } from '../interface/write-lock.ts';
import { isLock, isUnavailable, reportedAs } from './sqlite-errors.ts';

export interface GroupCommits {
  write<Result>(operation: () => Result): Promise<Result>;
  /** Resolves when nothing is waiting to be committed. */
  settled(): Promise<void>;
}

interface Waiting {
  operation(): unknown;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** How long another process that writes (a key made on the command line) is waited for, with pauses, in milliseconds. */
export const PATIENCE = 5000;
export const PAUSE = 20;
/** How many ticks of the event loop a group is waited for, while it grows. */
const MOST_TICKS = 8;

/**
 * Commits together all writes asked for in one tick of the event loop, and those of a few more ticks as long as each
 * brings some, since a commit costs a disk flush however much it holds. The load sets the pace: while one group is
 * flushed, the next one grows, and a write that comes alone does not wait. While another process holds the file, a
 * group has not begun; it tries again later, without blocking the thread.
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

  /** Why a transaction could not be begun; null where it was. */
  function begun(): Error | null {
    try {
      begin.run();
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  /** Ends the transaction with a group's work in it, or with nothing; returns how to tell everybody. */
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

  /** The failure of an only operation undoes the transaction: a savepoint would copy each page that it changes. */
  function runAlone({ operation, resolve }: Waiting): () => void {
    const result = operation() as never;
    return () => resolve(result);
  }

  /** Runs one operation so that its failure undoes itself alone; returns how to tell its caller after the commit. */
  function run({ operation, resolve, reject }: Waiting): () => void {
    savepoint.run();
    try {
      const result = operation() as never;
      release.run();
      return () => resolve(result);
    } catch (error) {
      // With a disk that is full or broken, SQLite may have undone the whole transaction.
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
        if (waiting.length === 1) setImmediate(grow, 1, MOST_TICKS);
      }),
    settled: () => (waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
