import { StoreError } from '../store.ts';
import { keysAndLinks } from './0001-keys-and-links.ts';
import { accounts } from './0002-accounts.ts';
import { clicks } from './0003-clicks.ts';
import { linkChanges } from './0004-link-changes.ts';
import { importRuns } from './0005-import-runs.ts';
import { linksByClicks } from './0006-links-by-clicks.ts';
import { accountsThatEnd } from './0007-accounts-that-end.ts';
import { keyScopes } from './0008-key-scopes.ts';
import { budgets } from './0009-budgets.ts';
import { listsAndDeletions } from './0010-lists-and-deletions.ts';
import { totalsOfAllLinks } from './0011-totals-of-all-links.ts';
import { accountHours } from './0013-account-hours.ts';
import type { Migration } from './dialect.ts';

/** Every step of the schema, in order; a release only ever adds to the end. */
export const MIGRATIONS: readonly Migration[] = [
  keysAndLinks,
  accounts,
  clicks,
  linkChanges,
  importRuns,
  linksByClicks,
  accountsThatEnd,
  keyScopes,
  budgets,
  listsAndDeletions,
  totalsOfAllLinks,
  accountHours,
];

/**
 * The steps a database still needs.
 *
 * @param applied the highest step the database has seen; 0 for a new one
 * @throws StoreError where the database is newer than this program, which could only damage it
 */
export function pending(applied: number, migrations: readonly Migration[] = MIGRATIONS): readonly Migration[] {
  const newest = migrations.at(-1)?.id ?? 0;
  if (applied > newest) {
    throw new StoreError(
      `The database is at version ${applied}, newer than this program, which knows version ${newest}. Run the newer program.`,
    );
  }
  return migrations.filter(({ id }) => id > applied);
}
