import { beforeAll, describe, expect, test, vi } from 'vitest';
import { replaceGlobals } from './simulation/globals.ts';
import { simulate } from './simulation/simulate.ts';

vi.mock('../../../src/browser/browser.ts', () => import('./simulation/simulated-browser.ts'));

beforeAll(() => replaceGlobals());

const realNow = () => BigInt(process.cpuUsage().user + process.cpuUsage().system) * 1000n;

describe('the real queue against the real service, in virtual time', () => {
  test.each([1, 2, 3, 4, 5, 6])('keeps every promise with seed %i', async (seed) => {
    const started = realNow();
    const { broken, counts, hash } = await simulate(seed, { days: 120 });
    console.log(seed, Number(realNow() - started) / 1e6, counts, hash, broken);
    expect(broken).toEqual([]);
  });

  test.each([
    'client generates a new key and code for each send',
    'service forgets idempotency keys and chooses all codes',
    'service has no limits',
    'disk loses attempts',
  ] as const)('finds that the %s', async (sabotage) => {
    const { broken } = await simulate(1, { days: 60, sabotage });
    console.log(sabotage, broken);
    expect(broken).not.toEqual([]);
  });
});
