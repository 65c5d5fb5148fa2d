import type { DatabaseSync } from 'node:sqlite';
import type { Dialect } from '../migrations/dialect.ts';
import { pending } from '../migrations/index.ts';

export const SQLITE: Dialect = {
  serial: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  integer: 'INTEGER',
  real: 'REAL',
  hourNow: 'unixepoch() / 3600',
  bytes: 'BLOB',
  tableOptions: ' STRICT',
  clusteredOptions: ' STRICT, WITHOUT ROWID',
  byteOrder: () => [],
};

/** Applies what is missing of the schema, all of it or nothing. */
export function migrate(connection: DatabaseSync, now: number): void {
  // Immediate, so that two processes started at once do not both apply a step.
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(
      'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
    );
    const { applied } = connection.prepare('SELECT coalesce(max(id), 0) AS applied FROM migrations').get() as {
      applied: number;
    };
    const note = connection.prepare('INSERT INTO migrations (id, name, applied_at) VALUES (?, ?, ?)');
    for (const migration of pending(applied)) {
      for (const statement of migration.statements(SQLITE)) connection.exec(statement);
      note.run(migration.id, migration.name, now);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
