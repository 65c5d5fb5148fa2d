import type { Migration } from '../schema-dialect.ts';

/** Which file an import is of, so that it goes on when the file is sent again, and who runs it: nobody, or one. */
export const importRuns: Migration = {
  id: 5,
  name: 'import runs',
  statements: ({ bytes }) => [
    `ALTER TABLE imports ADD COLUMN fingerprint ${bytes}`,
    'ALTER TABLE imports ADD COLUMN runner TEXT',
  ],
};
