/**
 * Database deadlines for tests on slow machines, in milliseconds. If the machine stalls for some seconds, the
 * database must not appear unresponsive.
 */
export const PATIENT = { read: 40_000, write: 40_000 };

/** Environment variables that give a service process these deadlines. */
export const PATIENT_PROCESS = { NODE_OPTIONS: `--import=${new URL('patient-process.ts', import.meta.url).href}` };
