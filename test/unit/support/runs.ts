const { TERSE_PROPERTY_RUNS = '300', TERSE_SEED } = process.env;
const RUNS = Number(TERSE_PROPERTY_RUNS);

/** How long a test of real parts may take: as much longer than ordinary as it is told to go on. In milliseconds. */
export const PATIENCE = Math.max(60_000, RUNS * 1_000);

/**
 * How often a property is tried, and from which seed: TERSE_PROPERTY_RUNS and TERSE_SEED, as `npm run torture` sets
 * them. Where each try takes long, a `share` of the runs.
 */
export function runs(share = 1): { numRuns: number; seed?: number } {
  const numRuns = Math.ceil(RUNS * share);
  return TERSE_SEED === undefined ? { numRuns } : { numRuns, seed: Number(TERSE_SEED) };
}
