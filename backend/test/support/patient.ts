/**
 * Database timeout for tests on slow machines, in milliseconds. If the machine stalls for some seconds, the
 * database must not appear unresponsive.
 */
export const PATIENT = 40_000;

/** Environment variables that give a service process this timeout. */
export const PATIENT_PROCESS = {
  NODE_OPTIONS: `--import=${new URL('preload.ts', import.meta.url).href}`,
  TEST_PATIENT: 'yes',
};
