import type { DatabaseSync } from 'node:sqlite';
import { type AppliedStep, missingMigrations } from '../migrations/all-migrations.ts';
import { UNFINISHED_MOVE, unfinishedMove } from '../migrations/refuse-moved-database.ts';
import { createIndex, type Dialect } from '../migrations/schema-dialect.ts';

const SQLITE: Dialect = {
  serial: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  rowId: 'INTEGER PRIMARY KEY',
  integer: 'INTEGER',
  real: 'REAL',
  bytes: 'BLOB',
  byteText: 'TEXT',
  tableOptions: ' STRICT',
  clusteredOptions: ' STRICT, WITHOUT ROWID',
};

/**
 * Applies all missing migrations in one transaction.
 *
 * @throws StoreError if the database cannot be used, for example because copying data to it was interrupted
 */
export function migrate(connection: DatabaseSync, now: number): void {
  const unfinished = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(UNFINISHED_MOVE);
  if (unfinished) throw unfinishedMove();
  applySteps(connection, now);
}

/** Applies missing migrations. Unlike `migrate`, also accepts a database to which data is still being moved. */
export function applySteps(connection: DatabaseSync, now: number): void {
  // BEGIN IMMEDIATE prevents two processes from applying the same migration.
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(
      'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL, oldest INTEGER) STRICT',
    );
    for (const { id, name, oldest, indexes, statements } of missingMigrations(appliedSteps(connection))) {
      // SQLite always blocks other writers while it creates an index, so no separate transaction is needed.
      for (const index of indexes ?? []) connection.exec(createIndex(index, 'IF NOT EXISTS'));
      for (const statement of statements(SQLITE)) connection.exec(statement);
      connection
        .prepare('INSERT INTO migrations (id, name, applied_at, oldest) VALUES (?, ?, ?, ?)')
        .run(id, name, now, oldest ?? null);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Returns the migrations that were applied to a database. The table `migrations` must exist. */
export function appliedSteps(connection: DatabaseSync): AppliedStep[] {
  return connection.prepare('SELECT * FROM migrations').all() as unknown as AppliedStep[];
}
