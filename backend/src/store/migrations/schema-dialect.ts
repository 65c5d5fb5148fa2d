/** Parts of SQL statements that differ between SQLite and PostgreSQL. */
export interface Dialect {
  /** Type of an auto-increment primary key that never reuses the ids of deleted rows. */
  serial: string;
  /** Type of an auto-increment primary key that can reuse the ids of deleted rows, which is faster. */
  rowId: string;
  integer: string;
  real: string;
  bytes: string;
  /**
   * Type of a text column whose indexes sort by bytes. PostgreSQL's default collation is slower. An operating system
   * update can also change the default collation, which breaks the index.
   */
  byteText: string;
  tableOptions: string;
  /**
   * SQL suffix for CREATE TABLE that makes the database store rows in primary key order. Empty if the database does
   * not support this.
   */
  clusteredOptions: string;
}

/** Definition of a database index. PostgreSQL creates such indexes without blocking writes. */
export interface Index {
  name: string;
  unique?: boolean;
  on: string;
}

/**
 * A change to the database schema, which is applied once and cannot be undone. Released migrations must always
 * produce the same schema.
 */
export interface Migration {
  id: number;
  name: string;
  /**
   * Id of an earlier migration. Versions of Terse that include the earlier migration can still use the database after
   * this migration. If this field is missing, all earlier versions are incompatible.
   */
  oldest?: number;
  /**
   * Indexes to create before the statements run. They are created one at a time, because indexing large tables takes
   * a long time. The indexes can use only tables and columns from earlier migrations.
   */
  indexes?: Index[];
  /** Statements that run in one transaction. Statements that lock a whole table come last. */
  statements(dialect: Dialect): string[];
}

export function createIndex({ name, unique, on }: Index, how: 'CONCURRENTLY' | 'IF NOT EXISTS'): string {
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${how} ${name} ON ${on}`;
}
