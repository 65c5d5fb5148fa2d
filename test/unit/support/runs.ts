const { TERSE_PROPERTY_RUNS = '200' } = process.env;
const RUNS = Number(TERSE_PROPERTY_RUNS);

/** How long a test of real parts may take: as much longer than ordinary as it is told to go on. In milliseconds. */
export const PATIENCE = Math.max(60_000, RUNS * 1_000);

/**
 * How often a property is tried: TERSE_PROPERTY_RUNS, as `npm run torture` sets it, or a `share` of that where each try
 * takes long. The seed is fixed for all of them, in scripts/test/fixed-seed.ts.
 */
export function runs(share = 1): { numRuns: number } {
  return { numRuns: Math.ceil(RUNS * share) };
}
