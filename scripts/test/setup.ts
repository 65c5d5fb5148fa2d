// Runs before each test file. Property tests use a fixed seed, so that only a code change can make them fail. `npm
// run torture` sets other seeds in TERSE_SEED to find new failures.
import fc from 'fast-check';
import { vi } from 'vitest';

const { TERSE_SEED = '9', TERSE_MUTATION_GROUP } = process.env;

// A mutant is detected by the first failure, so mutation testing does not look for the smallest failing input.
const endOnFailure = TERSE_MUTATION_GROUP !== undefined;
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TERSE_SEED), endOnFailure });

// Gives `vi.waitFor` and `vi.waitUntil` the same timeout as `expect.poll`.
const { waitFor, waitUntil } = vi;
const timeout = 20_000;

vi.waitFor = (callback, options = { timeout }) => waitFor(callback, options);
vi.waitUntil = (callback, options = { timeout }) => waitUntil(callback, options);
