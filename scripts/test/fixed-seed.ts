// Runs before each test file. Property tests use a fixed seed, so that only a change of the code can make them fail.
// `npm run torture` sets other seeds in TERSE_SEED to find new failures.
import fc from 'fast-check';

const { TERSE_SEED = '9' } = process.env;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TERSE_SEED) });
