/** SQL that differs between the two engines. */
export interface Dialect {
  /** Type of an auto-numbered primary key. A number is never used again. */
  serial: string;
  integer: string;
  real: string;
  /** Expression for the current hour, numbered as by `hourNumber`. */
  hourNow: string;
  bytes: string;
  /** Text after the closing parenthesis of CREATE TABLE. */
  tableOptions: string;
  /** The same for a table that is stored in the order of its primary key, if the engine supports that. */
  clusteredOptions: string;
  /**
   * Statements that sort a unique text column by bytes. By default PostgreSQL sorts by language, which is slower and
   * breaks the index if the system's language rules change.
   */
  byteOrder(table: string, column: string): { indexes: Index[]; statements: string[] };
  /**
   * Statements that split the daily counts into one table per month, if the engine supports that. Existing rows stay
   * in a separate table.
   */
  clickDaysByMonth(now: number): Prepared;
}

/** An index that is created without blocking writes, if the engine supports that. */
export interface Index {
  name: string;
  unique?: boolean;
  /** Table and columns, such as `links (account_id, id)`. */
  on: string;
}

/**
 * A change of the schema. It is applied once and never undone. After its release it must always produce the same
 * schema.
 */
export interface Migration {
  id: number;
  name: string;
  /**
   * Newest migration known to the oldest version that still works with this one. If it is missing, a version must
   * know this migration.
   */
  oldest?: number;
  /**
   * Indexes that are created one at a time before the statements, because large tables take long. They may use only
   * tables and columns of earlier migrations.
   */
  indexes?(dialect: Dialect): Index[];
  /**
   * Slow statements that do not block writes. They run after the indexes and before `statements`, each in its own
   * transaction, and again after an interruption.
   */
  prepare?(dialect: Dialect, now: number): string[];
  /** Statements that run in one transaction. Those that lock a whole table come last. */
  statements(dialect: Dialect, now: number): string[];
}

interface Prepared {
  prepare: string[];
  statements: string[];
}

export function createIndex({ name, unique, on }: Index, how: 'CONCURRENTLY' | 'IF NOT EXISTS'): string {
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${how} ${name} ON ${on}`;
}
