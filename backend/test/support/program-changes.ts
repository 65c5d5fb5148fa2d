// Module for `node --import` that changes the program for a test. TEST_VERSION names a later version of the program,
// which has additional migrations. TEST_PATIENT sets longer timeouts of the database and of the stop.
import { MIGRATIONS, type Migration } from '../../src/store/migrations/all-migrations.ts';
import { DEFAULTS } from '../../src/store/postgres/connection-pool.ts';

const NODE_OPTIONS = `--import=${import.meta.url}`;

/**
 * Database timeout for tests on slow machines, in milliseconds. If the machine stalls for some seconds, the
 * database must not appear unresponsive.
 */
export const PATIENT = 40_000;

/** Environment variables that give a service process this timeout. */
export const PATIENT_PROCESS = { NODE_OPTIONS, TEST_PATIENT: 'yes' };

/** Returns environment variables for a process of a later version, which has additional migrations. */
export function laterVersion(name: keyof typeof LATER_STEPS): Record<string, string> {
  return { NODE_OPTIONS, TEST_VERSION: name };
}

/** Adds a column and an index to the largest table, which the current version supports. */
export const EXPAND: Migration = {
  id: 1001,
  name: 'expand',
  oldest: 100,
  indexes: [{ name: 'links_by_url', on: 'links (url, id)' }],
  statements: 'ALTER TABLE links ADD COLUMN later INTEGER',
};

/** Also fills the column, which takes long enough to be interrupted. */
const FILL: Migration = {
  ...EXPAND,
  statements: `${EXPAND.statements}; UPDATE links SET later = length(url) + id`,
};

/** Removes the index, which the current version does not support. */
const CONTRACT: Migration = {
  id: 1002,
  name: 'contract',
  oldest: 1001,
  statements: 'DROP INDEX links_by_url',
};

/** Additional migrations of each later version. */
const LATER_STEPS = { expanding: [EXPAND], filling: [FILL], contracting: [EXPAND, CONTRACT] };

const { TEST_VERSION, TEST_PATIENT } = process.env;

if (TEST_VERSION) (MIGRATIONS as Migration[]).push(...LATER_STEPS[TEST_VERSION as keyof typeof LATER_STEPS]);
if (TEST_PATIENT) {
  const { TIMEOUTS } = await import('../../src/server/start-service.ts');
  DEFAULTS.timeout = PATIENT;
  TIMEOUTS.finish = PATIENT;
}
