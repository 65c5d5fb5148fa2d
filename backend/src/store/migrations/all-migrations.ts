import { StoreError } from '../interface/store.ts';
import { refuseMovedAway } from './refuse-moved-database.ts';
import type { Migration } from './schema-dialect.ts';
import { createKeysAndLinks } from './steps/0001-create-keys-and-links.ts';
import { addSignInAndImports } from './steps/0002-add-sign-in-and-imports.ts';
import { countClicks } from './steps/0003-count-clicks.ts';
import { countLinkChanges } from './steps/0004-count-link-changes.ts';
import { continueImports } from './steps/0005-continue-imports.ts';
import { sortLinksByClicks } from './steps/0006-sort-links-by-clicks.ts';
import { disableAndRemoveAccounts } from './steps/0007-disable-and-remove-accounts.ts';
import { addKeyScopes } from './steps/0008-add-key-scopes.ts';
import { addAccountQuotas } from './steps/0009-add-account-quotas.ts';
import { undoDeletions } from './steps/0010-undo-deletions.ts';
import { addTotalsOfAllLinks } from './steps/0011-add-totals-of-all-links.ts';
import { registerServingProcesses } from './steps/0012-register-serving-processes.ts';
import { sumAccountClicksByHour } from './steps/0013-sum-account-clicks-by-hour.ts';
import { addMonthlyClicks } from './steps/0014-add-monthly-clicks.ts';
import { splitDailyClicksByMonth } from './steps/0015-split-daily-clicks-by-month.ts';
import { listChangedLinks } from './steps/0016-list-changed-links.ts';
import { sortLinksByCreation } from './steps/0017-sort-links-by-creation.ts';
import { addTagsAndQueryForwarding } from './steps/0018-add-tags-and-query-forwarding.ts';

export const MIGRATIONS: readonly Migration[] = [
  createKeysAndLinks,
  addSignInAndImports,
  countClicks,
  countLinkChanges,
  continueImports,
  sortLinksByClicks,
  disableAndRemoveAccounts,
  addKeyScopes,
  addAccountQuotas,
  undoDeletions,
  addTotalsOfAllLinks,
  registerServingProcesses,
  sumAccountClicksByHour,
  addMonthlyClicks,
  splitDailyClicksByMonth,
  listChangedLinks,
  sortLinksByCreation,
  addTagsAndQueryForwarding,
];

/** A migration that was applied to a database. See `Migration` for the meaning of `oldest`. */
export interface AppliedStep {
  id: number;
  oldest: number | null;
}

/**
 * Id of the migration that creates the table `migration_ranges`. For each applied migration, this table stores the
 * oldest compatible migration, if any.
 */
export const FIRST_WITH_RANGE = registerServingProcesses.id;

export function newestStep(): number {
  return MIGRATIONS.at(-1)?.id ?? 0;
}

/**
 * Returns the migrations that have not been applied to a database yet.
 *
 * @throws StoreError if the database was migrated by a newer, incompatible version, or was moved to another database
 */
export function missingMigrations(
  applied: readonly AppliedStep[],
  migrations: readonly Migration[] = MIGRATIONS,
): readonly Migration[] {
  refuseMovedAway(applied);
  const newest = migrations.at(-1)?.id ?? 0;
  const last = newestOf(applied);
  if (applied.some(({ id, oldest }) => id > newest && (oldest === null || oldest > newest))) {
    throw new StoreError(
      `The database is at version ${last}, newer than this program supports (version ${newest}). Run a newer version of Terse.`,
    );
  }
  return migrations.filter(({ id }) => id > last);
}

export function newestOf(applied: readonly AppliedStep[]): number {
  return Math.max(0, ...applied.map(({ id }) => id));
}
