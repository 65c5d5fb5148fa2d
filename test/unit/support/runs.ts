const { TERSE_TIMES = '1', TERSE_SEED } = process.env;

/** How much longer than ordinary the tests of properties go on. `npm run torture` sets it, and the seed. */
export const TIMES = Number(TERSE_TIMES);

/** How often a property is tried: `count` times, or TERSE_TIMES as often; from a seed of chance, or from TERSE_SEED. */
export function runs(count: number): { numRuns: number; seed?: number } {
  const numRuns = Math.round(count * TIMES);
  return TERSE_SEED === undefined ? { numRuns } : { numRuns, seed: Number(TERSE_SEED) };
}
