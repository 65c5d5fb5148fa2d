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
  servingProcesses,
  accountHours,
  monthsOfClicks,
  clickDaysByMonth,
  changedLinks,
  linksByCreation,
];

/** A step that a database has seen, and the oldest program it works for since then, as `Migration` has it. */
export interface AppliedStep {
  id: number;
  oldest: number | null;
}

/** From this step on a database keeps which programs its steps leave it good for, in `migration_ranges`. */
export const FIRST_WITH_RANGE = servingProcesses.id;

/** The newest step this program knows. */
export const NEWEST_STEP = MIGRATIONS.at(-1)?.id ?? 0;

/**
 * The steps a database still needs.
 *
 * @param applied what it has seen
 * @throws StoreError where it has seen steps that this program does not know and that were not made for it, and where it was
 * moved to another database
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

/** The newest of some steps; 0 where there is none. */
export function newestOf(applied: readonly AppliedStep[]): number {
  return Math.max(0, ...applied.map(({ id }) => id));
}
