const { TERSE_PROPERTY_RUNS = '200' } = process.env;
const RUNS = Number(TERSE_PROPERTY_RUNS);

/** Time limit of integration tests in milliseconds. The limit grows with the number of runs. */
export const PATIENCE = Math.max(60_000, RUNS * 1_000);

/**
 * Returns the number of runs of a property test, which `npm run torture` sets in TERSE_PROPERTY_RUNS. Slow tests run
 * only a `share` of this number. The file scripts/test/setup.ts sets the seed.
 */
export function runs(share = 1): { numRuns: number } {
  return { numRuns: Math.ceil(RUNS * share) };
}
