import sql, { type Sql } from 'sql-template-tag';

/** Runs an SQL statement and returns its rows. The column names in the statement must match the fields of `Row`. */
export type Run = <Row>(statement: Statement) => Promise<Row[]>;

/** An SQL statement with the placeholders of SQLite (`sql`) and of PostgreSQL (`text`). */
export type Statement = Pick<Sql, 'sql' | 'text' | 'values'>;

export type RunTransaction = <Result>(work: (run: Run) => Promise<Result>) => Promise<Result>;

/**
 * Operations that SQLite and PostgreSQL implement differently. The SQL statements that use these operations work on
 * both databases.
 */
export interface Database {
  read: Run;
  /** Runs one write statement. The promise resolves when the data is on disk. */
  write: Run;
  /**
   * Runs `work` in a transaction, and rolls back if `work` throws. After a conflict, `work` runs again, so it must
   * have no side effects outside the transaction.
   */
  transaction: RunTransaction;
  /**
   * Runs a transaction that changes only clicks. On SQLite, its commit does not wait for the disk, so a power failure
   * can undo the last of these transactions, but never a part of one.
   */
  clickTransaction: RunTransaction;
  /**
   * SQL suffix that locks the selected rows until the transaction ends. Empty on SQLite, which allows only one
   * writing transaction at a time.
   */
  rowLock: Sql;
  /** Returns the current time from the database's clock, which all processes share. */
  now(run: Run): Promise<number>;
  /** SQL expression for a table whose column `value` contains the given rows as JSON arrays. */
  jsonRows(rows: readonly unknown[][]): Sql;
  /**
   * Waits until no other transaction holds the lock, and holds it until the transaction ends. SQLite needs no such
   * locks, because only one transaction at a time can write.
   *
   * - `counting`: counting clicks and changing click counts
   * - `batches`: creating several links with chosen codes, because two such transactions could wait for each other
   * - `uploads`: beginning an upload
   */
  lock(run: Run, name: 'counting' | 'batches' | 'uploads'): Promise<void>;
  /**
   * Returns a number that changes when links may have changed. If another process has changed them, the number changes
   * within a second. Returns null on PostgreSQL, because a process is not told about the changes of other processes.
   */
  revision(): number | null;
  /** Overwrites deleted data in the files of SQLite. Returns false if a running backup still reads this data. */
  eraseDeleted(): Promise<boolean>;
  close(): Promise<void>;
}

/** True if a statement found or changed exactly one row. The statement must return its rows. */
export async function isKnown(rows: Promise<unknown[]>): Promise<boolean> {
  return (await rows).length === 1;
}

/** Condition for rows that are older than `lifetime`, or as far in the future because a clock was wrong. */
export function isExpired(time: Sql, now: number, lifetime: number): Sql {
  return sql`(${time} <= ${now - lifetime} OR ${time} >= ${now + lifetime})`;
}

/** Rows of a table that can be deleted. `key` names the columns of the primary key. */
interface Deletion {
  table: Sql;
  key: Sql;
  condition: Sql;
}

/** Deletes up to `max` rows, because other writes wait for the statement. Returns true if more rows may be left. */
export async function deleteSome(run: Run, { table, key, condition }: Deletion, max: number): Promise<boolean> {
  const deleted = await run(sql`DELETE FROM ${table} WHERE (${key}) IN
    (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${max}) RETURNING 1`);
  return deleted.length === max;
}
