import type { Migration } from '../schema-dialect.ts';

/**
 * Adds the file's fingerprint, so that the same file continues its import, and the run that currently processes it.
 */
export const continueImports: Migration = {
  id: 5,
  name: 'import runs',
  statements: ({ bytes }) => [
    `ALTER TABLE imports ADD COLUMN fingerprint ${bytes}`,
    'ALTER TABLE imports ADD COLUMN runner TEXT',
  ],
};
