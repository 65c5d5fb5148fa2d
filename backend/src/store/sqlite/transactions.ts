import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LendableWriteLock } from '../interface/write-lock-between-threads.ts';
import { LOCK_TIMEOUT, PAUSE } from './group-commits.ts';
import { isLock, reportedAs } from './sqlite-errors.ts';

export interface Transactions {
  prepare(sql: string): StatementSync;
  /**
   * Runs `work` in a transaction, and rolls back if `work` throws. All statements in `work` must have been created
   * with the function `prepare` of this object.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function createTransactions(
  connection: DatabaseSync,
  writeLock: LendableWriteLock,
  lockTimeout = LOCK_TIMEOUT,
): Transactions {
  const running = new Set<Promise<unknown>>();

  /**
   * Begins a transaction. Returns a function that releases the write lock. If another process is writing, waits
   * without blocking the thread.
   */
  async function begin(): Promise<() => void> {
    const start = performance.now();
    for (;;) {
      const release = await new Promise<() => void>((resolve) => writeLock.lend(resolve));
      try {
        connection.exec('BEGIN IMMEDIATE');
        return release;
      } catch (error) {
        release();
        if (!isLock(error) || performance.now() - start >= lockTimeout) throw error;
      }
      await sleep(PAUSE);
    }
  }

  async function execute<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await begin();
    try {
      const result = await work();
      connection.exec('COMMIT');
      return result;
    } finally {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      release();
    }
  }

  return {
    prepare: (sql) => connection.prepare(sql),
    async run(work) {
      const execution = execute(work);
      running.add(execution);
      try {
        return await execution;
      } catch (error) {
        throw reportedAs(error);
      } finally {
        running.delete(execution);
      }
    },
    async close() {
      while (running.size > 0) await Promise.allSettled(running);
      connection.close();
    },
  };
}
