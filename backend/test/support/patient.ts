/** A test on a machine that stands still for some seconds has no database that hangs. In milliseconds. */
export const PATIENT = { read: 40_000, write: 40_000 };

/** The environment of a process of the service that is as patient. */
export const PATIENT_PROCESS = { NODE_OPTIONS: `--import=${new URL('patient-process.ts', import.meta.url).href}` };
