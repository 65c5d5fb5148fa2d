// Module for `node --import` that changes the program for a test. TEST_VERSION names a later version of the program,
// which has additional migrations. TEST_PATIENT sets longer timeouts of the database and of the stop.
import { MIGRATIONS, type Migration } from '../../src/store/migrations/all-migrations.ts';
import { DEFAULTS } from '../../src/store/postgres/connection-pool.ts';
import { LATER_STEPS } from './later-steps.ts';
import { PATIENT } from './patient.ts';

const { TEST_VERSION, TEST_PATIENT } = process.env;

if (TEST_VERSION) (MIGRATIONS as Migration[]).push(...LATER_STEPS[TEST_VERSION as keyof typeof LATER_STEPS]);
if (TEST_PATIENT) {
  const { TIMEOUTS } = await import('../../src/server/start-service.ts');
  DEFAULTS.timeout = PATIENT;
  TIMEOUTS.finish = PATIENT;
}
