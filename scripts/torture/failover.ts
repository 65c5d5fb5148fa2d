import { setTimeout as sleep } from 'node:timers/promises';
import {
  failOver,
  LOSSES,
  replaceStandby,
  startCluster,
  startLoad,
} from '../../backend/test/support/cluster/cluster.ts';
import { chanceFrom } from './random-choices.ts';
import type { RandomTest } from './random-tests.ts';

/** Number of failovers per run. */
const FAILOVERS = 3;

/**
 * Tests the cluster setup in deploy/cluster under load. The primary machine fails in a random way, Patroni replaces it,
 * and the failed machine comes back as a standby.
 */
export const failovers: RandomTest = {
  name: 'failover',
  async run(seed) {
    const chance = chanceFrom(seed);
    const cluster = await startCluster(2);
    try {
      const load = await startLoad(cluster, seed, chance);
      const faults: string[] = [];
      for (let times = 0; times < FAILOVERS; times += 1) {
        await sleep(chance.between(0, 2000));
        if (chance.next() < 0.3) {
          await replaceStandby(cluster, load);
          faults.push('standby replaced');
        }
        const loss = chance.pick(LOSSES);
        await failOver(cluster, load, loss);
        faults.push(loss);
      }
      const { broken, summary } = await load.end();
      return { broken, summary: [...faults, summary].join('; ') };
    } finally {
      await cluster.stop();
    }
  },
};
