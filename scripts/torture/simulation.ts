import type { RandomTest } from './random-test.ts';
import { runVitest } from './run-vitest.ts';

const FILE = 'test/unit/integration/simulation.test.ts';

/**
 * Simulates the real queue and the real service in virtual time. Each run uses five consecutive seeds, starting with
 * the seed of the run.
 */
export const simulations: RandomTest = {
  name: 'simulation',
  async prepare() {},
  async run(seed) {
    const output = await runVitest([FILE], ['extension'], { TERSE_SEED: String(seed) });
    return { broken: output === null ? [] : [output], summary: `seeds ${seed} to ${seed + 4}, 120 days each` };
  },
};
