const { TERSE_PROPERTY_RUNS = '200', TERSE_SEED = '9' } = process.env;
const RUNS = Number(TERSE_PROPERTY_RUNS);

/** How long a test of real parts may take: as much longer than ordinary as it is told to go on. In milliseconds. */
export const PATIENCE = Math.max(60_000, RUNS * 1_000);

/**
 * How often a property is tried, and from which seed. Ordinarily the seed is fixed, so that red means this change;
 * `npm run torture` sets TERSE_PROPERTY_RUNS and TERSE_SEED to look for new histories. Where each try takes long, a `share`
 * of the runs.
 */
export function runs(share = 1): { numRuns: number; seed: number } {
  return { numRuns: Math.ceil(RUNS * share), seed: Number(TERSE_SEED) };
}
