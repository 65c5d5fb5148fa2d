// Runs before each test file: property tests play a fixed seed, so that red means the change at hand. `npm run torture` sets
// TERSE_SEED to look for what nobody has seen yet.
import fc from 'fast-check';

const { TERSE_SEED = '9' } = process.env;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TERSE_SEED) });
