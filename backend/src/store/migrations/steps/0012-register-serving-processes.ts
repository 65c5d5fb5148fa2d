import type { Migration } from '../schema-dialect.ts';

/**
 * Adds tables with the running server processes and the compatibility of each migration. Migrations that would break
 * a running process are refused.
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
