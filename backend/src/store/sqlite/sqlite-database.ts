import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import sql, { empty } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import {
  type AppliedStep,
  createIndex,
  MARKS,
  MIGRATIONS,
  MIGRATIONS_TABLE,
  missingMigrations,
} from '../migrations/all-migrations.ts';
import type { Database, Run, Statement } from '../sql/database.ts';
import { refuseCapitalLetters } from '../sql/link-queries.ts';
import { StoreFull, StoreUnavailable } from '../store-errors.ts';
import { createIfMissing, openFile, unusable } from './database-file.ts';

/**
 * Maximum wait for a lock once the file is open, in milliseconds. The wait is short because failed writes are retried
 * later.
 */
const BUSY_TIMEOUT = 1;

/** Interval at which the file is checked for commits by other processes, in milliseconds. */
const CHECK_INTERVAL = 900;

/** Settings of all connections. With `secure_delete`, SQLite overwrites deleted data in the file at a checkpoint. */
const SETTINGS = 'PRAGMA cache_size = -16000; PRAGMA secure_delete = ON';

/**
 * Opens a SQLite database and applies missing migrations. If the file is missing, creates a file that only its owner can
 * access. Only one server process may use the file at a time. Short commands, such as `links delete`, may also write to
 * the file.
 */
export async function openSqliteDatabase(
  path: string,
  now: number,
  clock: Clock,
  foldsCase: boolean,
): Promise<Database> {
  const writer = connect(path);
  // Reads during a transaction use another connection, so that they do not see uncommitted data. Other reads use the
  // connection for writes: its commits empty the page cache of the other one.
  const reader = connect(path);
  try {
    writer.exec('PRAGMA journal_mode = WAL');
    migrate(writer, now);
    if (foldsCase) await refuseCapitalLetters(runOn(writer));
    for (const connection of [writer, reader]) {
      connection.exec(`${SETTINGS}; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    }
  } catch (error) {
    writer.close();
    reader.close();
    throw unusable(path, error);
  }
  const queue = createWriteQueue(writer);
  const run = runOn(writer);
  const readOn = runOn(reader);
  // The number that this statement returns increases when another process commits, but not when this connection does.
  const dataVersion = writer.prepare('PRAGMA data_version');
  let otherCommits = 0;
  let nextCheckAt = 0;
  return {
    async read<Row>(statement: Statement) {
      try {
        return await (writer.isTransaction ? readOn : run)<Row>(statement);
      } catch (error) {
        throw reportedAs(error);
      }
    },
    write: (statement) => queue.run('FULL', () => run(statement)),
    transaction: (work) => queue.run('FULL', () => work(run)),
    clickTransaction: (work) => queue.run('NORMAL', () => work(run)),
    rowLock: empty,
    now: async () => clock(),
    jsonRows: (rows) => sql`jsonb_each(${JSON.stringify(rows)})`,
    lock: async () => {},
    revision() {
      const now = performance.now();
      if (now >= nextCheckAt) {
        nextCheckAt = now + CHECK_INTERVAL;
        otherCommits = Number(dataVersion.get()?.data_version);
      }
      return queue.durableCommits() + otherCommits;
    },
    async eraseDeleted() {
      await nextTick();
      return reader.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    },
    async close() {
      await queue.settled();
      writer.close();
      reader.close();
    },
  };
}

/** Maximum number of prepared statements per connection. */
const MAX_STATEMENTS = 500;

/** Returns a function that runs statements on a connection. Statements with the same text are prepared only once. */
export function runOn(connection: DatabaseSync): Run {
  const statements = new LRUCache<string, StatementSync>({
    max: MAX_STATEMENTS,
    memoMethod: (text) => connection.prepare(text),
  });
  return async <Row>({ sql, values }: Statement) => statements.memo(sql).all(...(values as SQLInputValue[])) as Row[];
}

/** Opens a connection. If the file is missing, creates a file that only its owner can access. */
export function connect(path: string): DatabaseSync {
  createIfMissing(path);
  try {
    return openFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Applies all missing migrations in one transaction.
 *
 * @param isMoving true for the command `move`, which also accepts a database to which data is being moved
 * @throws StoreError if the database cannot be used, for example because it was moved
 */
export function migrate(connection: DatabaseSync, now: number, isMoving = false): void {
  // BEGIN IMMEDIATE prevents two processes from applying the same migration.
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(MIGRATIONS_TABLE);
    const applied = connection.prepare('SELECT * FROM migrations').all() as unknown as AppliedStep[];
    const add = connection.prepare('INSERT INTO migrations (id, name, applied_at, oldest) VALUES (?, ?, ?, ?)');
    for (const { id, name, oldest, indexes, statements } of missingMigrations(applied, MIGRATIONS, isMoving)) {
      // SQLite always blocks other writers while it creates an index, so no separate transaction is needed.
      for (const index of indexes ?? []) connection.exec(createIndex(index, 'IF NOT EXISTS'));
      connection.exec(statements);
      add.run(id, name, now, oldest ?? null);
    }
    if (!isMoving) {
      connection.prepare('UPDATE migrations SET applied_at = ? WHERE id = ?').run(now, MARKS.movedHere);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

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
  let durableCommits = 0;
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
      if (synchronous === 'FULL') durableCommits += 1;
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
    /** Number of commits that waited for the disk. */
    durableCommits: () => durableCommits,
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
function reportedAs(error: unknown): unknown {
  if ((error as { errcode?: number }).errcode === BROKEN_REFERENCE) return new StoreUnavailable(error);
  const code = codeOf(error);
  if (!UNAVAILABLE.has(code)) return error;
  return code === FULL ? new StoreFull(error) : new StoreUnavailable(error);
}

/** Returns the primary code of an error, which is the lowest byte of its extended result code. */
function codeOf(error: unknown): number {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;
}
