/**
 * Deadlines for tests on slow machines, in milliseconds. A machine that stops for some seconds must not look like an
 * unresponsive database.
 */
export const PATIENT = { read: 40_000, write: 40_000 };

/** Environment of a service process with these deadlines. */
export const PATIENT_PROCESS = { NODE_OPTIONS: `--import=${new URL('patient-process.ts', import.meta.url).href}` };
