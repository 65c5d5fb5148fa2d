import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../../backend/test/support/cluster/cluster.ts';
import { brokenPromises, failOver, LOSSES, replaceStandby } from '../../backend/test/support/cluster/failover.ts';
import { startLoad } from '../../backend/test/support/cluster/load.ts';
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
      const load = await startLoad(cluster, chance.between(0, 20));
      const summary: string[] = [];
      for (let times = 0; times < FAILOVERS; times += 1) {
        await sleep(chance.between(0, 2000));
        if (chance.next() < 0.3) {
          await replaceStandby(cluster, load);
          summary.push('standby replaced');
        }
        const loss = chance.pick(LOSSES);
        await failOver(cluster, load, loss);
        summary.push(loss);
      }
      await load.end();
      const broken = await brokenPromises(cluster, load);
      const clicks = load.made.values().reduce((sum, link) => sum + link.clicks, 0);
      summary.push(`${load.made.size} links created, ${clicks} clicks redirected`);
      return { broken, summary: summary.join('; ') };
    } finally {
      await cluster.stop();
    }
  },
};
