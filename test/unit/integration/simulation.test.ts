import { beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/runs.ts';
import { replaceGlobals } from './simulation/globals.ts';
import { type Simulation, simulate } from './simulation/simulate.ts';

/*
 * Years of use in seconds: the real extension and the real service in one process, with the network, the disks, the
 * clocks and the users chosen by a seed. With TERSE_TRACE=1, the test prints everything that happens.
 */

vi.mock('../../../src/browser/browser.ts', () => import('./simulation/simulated-browser.ts'));

beforeAll(() => replaceGlobals());

const { TERSE_SEED, TERSE_TRACE } = process.env;
/** Seeds that together meet every kind of fault. `npm run torture` chooses others. */
const FIXED_SEEDS = [2, 4, 5, 20, 5071, 7062];
const isTorture = TERSE_SEED !== undefined;
const SEEDS = isTorture ? Array.from({ length: 5 }, (_, index) => Number(TERSE_SEED) + index) : FIXED_SEEDS;
const DAYS = isTorture ? 120 : 122;

const onEvent = TERSE_TRACE ? (line: string) => void process.stdout.write(line) : () => {};

describe('the real queue and the real service in virtual time', { timeout: PATIENCE }, () => {
  const simulations: Simulation[] = [];

  test.each(SEEDS)('keep every promise with seed %i', async (seed) => {
    const simulation = await simulate(seed, { days: DAYS, onEvent });
    expect(simulation.broken).toEqual([]);
    simulations.push(simulation);
  });

  test.skipIf(isTorture)('meet every kind of fault with the fixed seeds', () => {
    const sum = (name: keyof Simulation['counts']) =>
      simulations.reduce((total, { counts }) => total + counts[name], 0);
    expect(simulations).toHaveLength(FIXED_SEEDS.length);
    for (const name of ['deaths', 'replayed', 'refusedByLimit', 'needUser'] as const)
      expect(sum(name), name).toBeGreaterThan(0);
  });

  test.skipIf(isTorture)('repeat a history with the same seed, and differ with another seed', async () => {
    const [first, again, other] = [
      await simulate(1, { days: 40 }),
      await simulate(1, { days: 40 }),
      await simulate(2, { days: 40 }),
    ];
    expect(first.counts.posts).toBeGreaterThan(10);
    expect(again).toEqual(first);
    expect(other.hash).not.toBe(first.hash);
  });

  test.skipIf(isTorture).each([
    ['client generates a new key and code for each send', 'a request creates at most one link'],
    ['service forgets idempotency keys and chooses all codes', 'a request creates at most one link'],
    ['service has no limits', 'at most 20 requests a day are accepted'],
    ['disk loses sends', 'a request is on disk before it is sent'],
  ] as const)('break a promise if the %s', async (rule, promise) => {
    const { broken } = await simulate(4, { days: 200, sabotage: { rule, promise } });
    expect(broken.join('\n')).toContain(promise);
  });
});
