const { TERSE_PROPERTY_RUNS = '200' } = process.env;
const RUNS = Number(TERSE_PROPERTY_RUNS);

/** Time limit of integration tests in milliseconds. It grows with the number of runs. */
export const PATIENCE = Math.max(60_000, RUNS * 1_000);

/**
 * Number of runs of a property test: TERSE_PROPERTY_RUNS, as `npm run torture` sets it, or a `share` of it if each run
 * is slow. scripts/test/fixed-seed.ts sets the seed.
 */
export function runs(share = 1): { numRuns: number } {
  return { numRuns: Math.ceil(RUNS * share) };
}
