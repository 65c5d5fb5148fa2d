import type { Migration } from '../schema-dialect.ts';

/**
 * Adds a hash of the imported file. If the same file is imported again, the hash identifies the unfinished import to
 * continue. Also adds the id of the upload that processes the import.
 */
export const continueImports: Migration = {
  id: 5,
  name: 'import runs',
  statements: ({ bytes }) => [
    `ALTER TABLE imports ADD COLUMN fingerprint ${bytes}`,
    'ALTER TABLE imports ADD COLUMN runner TEXT',
  ],
};
