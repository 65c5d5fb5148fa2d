import { StoreError } from '../interface/store.ts';
import { refuseMovedAway } from './refuse-moved-database.ts';
import type { Migration } from './schema-dialect.ts';
import { keysAndLinks } from './steps/0001-keys-and-links.ts';
import { accounts } from './steps/0002-accounts.ts';
import { clicks } from './steps/0003-clicks.ts';
import { linkChanges } from './steps/0004-link-changes.ts';
import { importRuns } from './steps/0005-import-runs.ts';
import { linksByClicks } from './steps/0006-links-by-clicks.ts';
import { accountsThatEnd } from './steps/0007-accounts-that-end.ts';
import { keyScopes } from './steps/0008-key-scopes.ts';
import { budgets } from './steps/0009-budgets.ts';
import { listsAndDeletions } from './steps/0010-lists-and-deletions.ts';
import { totalsOfAllLinks } from './steps/0011-totals-of-all-links.ts';
import { servingProcesses } from './steps/0012-serving-processes.ts';
import { accountHours } from './steps/0013-account-hours.ts';
import { monthsOfClicks } from './steps/0014-months-of-clicks.ts';
import { clickDaysByMonth } from './steps/0015-click-days-by-month.ts';
import { changedLinks } from './steps/0016-changed-links.ts';
import { linksByCreation } from './steps/0017-links-by-creation.ts';

/** All migrations in order. New ones are added at the end. */
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
  servingProcesses,
  accountHours,
  monthsOfClicks,
  clickDaysByMonth,
  changedLinks,
  linksByCreation,
];

/** A migration that a database has seen. `oldest` has the same meaning as in `Migration`. */
export interface AppliedStep {
  id: number;
  oldest: number | null;
}

/** First migration after which a database stores `oldest` of its migrations, in `migration_ranges`. */
export const FIRST_WITH_RANGE = servingProcesses.id;

/** Returns the id of the newest migration that this version knows. */
export function newestStep(): number {
  return MIGRATIONS.at(-1)?.id ?? 0;
}

/**
 * Returns the migrations that a database needs.
 *
 * @param applied migrations that the database has seen
 * @throws StoreError if the database is too new for this version, or was moved away
 */
export function pending(
  applied: readonly AppliedStep[],
  migrations: readonly Migration[] = MIGRATIONS,
): readonly Migration[] {
  refuseMovedAway(applied);
  const newest = migrations.at(-1)?.id ?? 0;
  const last = newestOf(applied);
  if (applied.some(({ id, oldest }) => id > newest && (oldest === null || oldest > newest))) {
    throw new StoreError(
      `The database is at version ${last}, newer than this program, which knows version ${newest}. Run the newer program.`,
    );
  }
  return migrations.filter(({ id }) => id > last);
}

/** Returns the highest id, or 0 if there are none. */
export function newestOf(applied: readonly AppliedStep[]): number {
  return Math.max(0, ...applied.map(({ id }) => id));
}
