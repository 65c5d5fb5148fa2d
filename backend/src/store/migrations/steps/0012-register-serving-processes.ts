import type { Migration } from '../schema-dialect.ts';

/**
 * Adds a list of the running server processes, with the newest migration that each process supports. A migration that
 * would break a running process is refused. `migration_ranges` stores the field `oldest` of each applied migration.
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
