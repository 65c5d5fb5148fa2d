import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { isLock, isUnavailable, reportedAs } from './sqlite-errors.ts';

export interface WriteQueue {
  /**
   * Runs `work` in a transaction. The promise resolves when the changes are on disk. If `work` throws, its changes are
   * rolled back. `work` must only use the connection of the queue.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits until all writes have ended. */
  settled(): Promise<void>;
}

interface PendingWrite {
  work(): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** Maximum time to wait for another process's write, in milliseconds. `PAUSE` is the pause between two attempts. */
const LOCK_TIMEOUT = 5000;
const PAUSE = 20;
/** Maximum number of event loop ticks to wait for more writes before a group is committed. */
export const MAX_TICKS = 8;

/** Waits until the lock is free and acquires it. Returns a function that releases the lock. */
export type WriteLock = () => Promise<() => void>;

/** Creates a lock for all write connections of a process, because SQLite supports only one writer at a time. */
export function createWriteLock(): WriteLock {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
}

interface QueueOptions {
  lockTimeout?: number;
  maxTicks?: number;
}

/**
 * Creates the queue for all writes on a connection. Everything that waits is committed together, because each commit
 * waits for the disk. If another process has locked the file, the queue waits without blocking the thread.
 */
export function createWriteQueue(
  connection: DatabaseSync,
  lock: WriteLock,
  { lockTimeout = LOCK_TIMEOUT, maxTicks = MAX_TICKS }: QueueOptions = {},
): WriteQueue {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');
  let waiting: PendingWrite[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await moreWrites();
      await commitGroup();
    }
    draining = null;
  }

  /** Waits for further writes, as long as each tick adds some. A single write waits for only one tick. */
  async function moreWrites(): Promise<void> {
    let before = 0;
    for (let tick = 0; tick < maxTicks && waiting.length > before; tick += 1) {
      before = waiting.length;
      await nextTick();
    }
  }

  async function commitGroup(): Promise<void> {
    let unlock: () => void;
    try {
      unlock = await beginTransaction();
    } catch (error) {
      rejectAll(takeWaiting(), error);
      return;
    }
    const group = takeWaiting();
    try {
      const notifications: (() => void)[] = [];
      for (const write of group) notifications.push(await execute(write));
      commit.run();
      for (const notify of notifications) notify();
    } catch (error) {
      if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK');
      rejectAll(group, error);
    } finally {
      unlock();
    }
  }

  function rejectAll(group: PendingWrite[], error: unknown): void {
    const reported = reportedAs(error);
    for (const { reject } of group) reject(reported);
  }

  function takeWaiting(): PendingWrite[] {
    const taken = waiting;
    waiting = [];
    return taken;
  }

  /** Begins a transaction. Returns a function that releases the write lock. */
  async function beginTransaction(): Promise<() => void> {
    const start = performance.now();
    for (;;) {
      const unlock = await lock();
      try {
        begin.run();
        return unlock;
      } catch (error) {
        unlock();
        if (!isLock(error) || performance.now() - start >= lockTimeout) throw error;
      }
      await sleep(PAUSE);
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
      if (!connection.isTransaction || isUnavailable(error)) throw error;
      undo.run();
      release.run();
      return () => reject(error);
    }
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve, reject });
        draining ??= drain();
      }),
    settled: async () => {
      while (draining) await draining;
    },
  };
}
