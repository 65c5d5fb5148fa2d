import type { Migration } from '../schema-dialect.ts';

/**
 * Which processes serve the database, so that nothing is done to it that one of them cannot live with: the newest step of
 * the schema that each knows, and when it was last heard of by the database's clock. And which programs a step leaves
 * the database good for, by the newest step they know.
 */
export const servingProcesses: Migration = {
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
