import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from '../../backend/test/support/cluster/cluster.ts';
import {
  brokenPromises,
  type Failover,
  failOver,
  LOSSES,
  loseStandby,
  loseUnreplicatedCommits,
} from '../../backend/test/support/cluster/failover.ts';
import { startLoad } from '../../backend/test/support/cluster/load.ts';
import { type Chance, chanceFrom } from './random-choices.ts';
import type { Findings, RandomTest } from './random-test.ts';

/** Number of failovers per run. */
const FAILOVERS = 3;

/**
 * Tests the cluster setup in deploy/cluster under load. The primary machine fails in a random way, Patroni replaces it,
 * and the failed machine comes back as a standby.
 */
export const failovers: RandomTest = {
  name: 'failover',
  async prepare() {},
  async run(seed) {
    const cluster = await startCluster(2);
    try {
      return await runFailovers(cluster, chanceFrom(seed));
    } finally {
      await cluster.stop();
    }
  },
};

async function runFailovers(cluster: Cluster, chance: Chance): Promise<Findings> {
  const load = await startLoad(cluster, chance.between(0, 20));
  const summary: string[] = [];
  for (let times = 0; times < FAILOVERS; times += 1) {
    await sleep(chance.between(0, 2000));
    if (chance.next() < 0.3) {
      const isReplaced = chance.next() < 0.5;
      await loseStandby(cluster, load, isReplaced);
      summary.push(isReplaced ? 'standby replaced' : 'standby lost');
    }
    if (chance.next() < 0.3) {
      const figures = await loseUnreplicatedCommits(cluster, load, chance.between(0, 9000));
      summary.push(`kill after both standbys froze: ${describe(figures)}`);
    } else {
      const loss = chance.pick(LOSSES);
      summary.push(`${loss}: ${describe(await failOver(cluster, load, loss))}`);
    }
  }
  await load.end();
  const broken = await brokenPromises(cluster, load);
  const clicks = load.made.values().reduce((sum, link) => sum + link.clicks, 0);
  summary.push(`${load.made.size} links created, ${clicks} clicks redirected`);
  return { broken, summary: summary.join('; ') };
}

function describe({ withoutCreates, withoutRedirects }: Failover): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  return `no links could be created for ${seconds(withoutCreates)} s, no cached link redirected for ${seconds(withoutRedirects)} s`;
}
