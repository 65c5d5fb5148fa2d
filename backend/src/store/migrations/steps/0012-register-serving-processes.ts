import type { Migration } from '../schema-dialect.ts';

/**
 * Registers the processes that serve the database and the newest migration that each knows, so that no migration
 * breaks them. `migration_ranges` stores the oldest version that each migration still supports.
 */
export const registerServingProcesses: Migration = {
  id: 12,
  name: 'serving processes',
  oldest: 11,
  statements: ({ integer, tableOptions }) => [
    `CREATE TABLE serving_processes (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      newest_step ${integer} NOT NULL,
      seen_at ${integer} NOT NULL
    )${tableOptions}`,
    `CREATE TABLE migration_ranges (
      id ${integer} PRIMARY KEY,
      oldest ${integer} NOT NULL
    )${tableOptions}`,
  ],
};
