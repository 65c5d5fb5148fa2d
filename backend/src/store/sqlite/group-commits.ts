import type { DatabaseSync } from 'node:sqlite';
import type { WriteTurns } from '../write-turns.ts';

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

/**
 * Commits together all writes that gathered during one turn of the event loop, since a commit costs a disk flush
 * however much it holds. The clock is the load itself: while one group is flushed, the next gathers.
 */
export function createGroupCommits(connection: DatabaseSync, turns: WriteTurns): GroupCommits {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');
  let waiting: Waiting[] = [];
  let idle: (() => void)[] = [];

  function flush(): void {
    const group = waiting;
    waiting = [];
    const settle: (() => void)[] = [];
    try {
      begin.run();
      for (const member of group) settle.push(run(member));
      commit.run();
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      for (const { reject } of group) reject(error);
      return;
    } finally {
      for (const resolve of idle) resolve();
      idle = [];
    }
    for (const tell of settle) tell();
  }

  /** Runs one operation so that its failure undoes itself alone; returns how to tell its caller after the commit. */
  function run({ operation, resolve, reject }: Waiting): () => void {
    savepoint.run();
    try {
      const result = operation() as never;
      release.run();
      return () => resolve(result);
    } catch (error) {
      undo.run();
      release.run();
      return () => reject(error);
    }
  }

  return {
    write: (operation) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(turns.take, flush);
        waiting.push({ operation, resolve, reject });
      }),
    settled: () => (waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
