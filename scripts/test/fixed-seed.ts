// Runs before each test file: property tests use a fixed seed, so that a failure is caused by the current change.
// `npm run torture` sets TERSE_SEED to search for new failures.
import fc from 'fast-check';

const { TERSE_SEED = '9' } = process.env;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TERSE_SEED) });
