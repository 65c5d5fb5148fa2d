/** Parts of SQL statements that differ between SQLite and PostgreSQL. */
export interface Dialect {
  /** Type of an auto-incremented primary key. The ids of deleted rows must never be used again. */
  serial: string;
  integer: string;
  real: string;
  /** SQL expression for the number of hours since January 1, 1970. */
  hourNow: string;
  bytes: string;
  tableOptions: string;
  /**
   * SQL after CREATE TABLE for a table whose rows are stored in the order of the primary key. Empty if the database
   * does not support that order.
   */
  clusteredOptions: string;
  /**
   * Statements that make a unique text column sort by bytes. By default, PostgreSQL sorts by language, which is
   * slower. An update of the operating system can also change the language's sorting rules, which breaks the index.
   */
  byteOrder(table: string, column: string): { indexes: Index[]; statements: string[] };
  /**
   * Statements that split the daily counts into one table per month, if the database supports that. Existing rows
   * stay in a separate table.
   */
  clickDaysByMonth(now: number): Prepared;
}

/** An index that is created without blocking writes, if the database supports that. */
export interface Index {
  name: string;
  unique?: boolean;
  on: string;
}

/**
 * A change of the database schema, which is applied once and cannot be undone. Released migrations must always
 * produce the same schema.
 */
export interface Migration {
  id: number;
  name: string;
  /**
   * Versions of Terse that include the migration with this id can still use the database after the new migration.
   * Without this field, all earlier versions are incompatible.
   */
  oldest?: number;
  /**
   * Indexes to create before the statements run, one at a time, because indexing large tables takes long. The indexes
   * can use only tables and columns from earlier migrations.
   */
  indexes?(dialect: Dialect): Index[];
  /**
   * Slow statements that do not block other writers. They run before `statements`, each in a separate transaction.
   * After an interruption, all slow statements run again.
   */
  prepare?(dialect: Dialect, now: number): string[];
  /** Statements that run in one transaction. Statements that lock a whole table come last. */
  statements(dialect: Dialect, now: number): string[];
}

interface Prepared {
  prepare: string[];
  statements: string[];
}

export function createIndex({ name, unique, on }: Index, how: 'CONCURRENTLY' | 'IF NOT EXISTS'): string {
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${how} ${name} ON ${on}`;
}
