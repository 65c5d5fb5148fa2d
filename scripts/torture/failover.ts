import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from '../../backend/test/support/cluster/cluster.ts';
import {
  type Failover,
  failOver,
  LOSSES,
  loseStandby,
  returnUnasked,
} from '../../backend/test/support/cluster/failover.ts';
import { startLoad } from '../../backend/test/support/cluster/load.ts';
import { brokenPromises } from '../../backend/test/support/cluster/verdict.ts';
import { providePgBouncer } from '../../backend/test/support/pgbouncer.ts';
import { type Chance, chanceFrom } from './random-choices.ts';
import type { Findings, RandomTest } from './random-test.ts';

/** Number of failovers per run: one to the standby machine, and one back. */
const FAILOVERS = 2;

/**
 * Tests the cluster setup in deploy/cluster under load. The primary machine fails, another machine replaces it, and
 * the failed machine comes back unexpectedly and joins the cluster again.
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
  const broken: string[] = [];
  const summary: string[] = [];
  for (let times = 0; times < FAILOVERS; times += 1) {
    await sleep(chance.between(0, 2000));
    if (chance.next() < 0.3) {
      await loseStandby(cluster, load);
      summary.push('standby lost');
    }
    const loss = chance.pick(LOSSES);
    const figures = await failOver(cluster, load, loss, chance.between(0, 3000));
    broken.push(...(await returnUnasked(cluster, load, loss, 3000)));
    await cluster.other[chance.pick(['kill', 'stop'] as const)]();
    await cluster.rejoin();
    summary.push(`${loss}: ${describe(figures)}`);
  }
  await load.end();
  broken.push(...(await brokenPromises(cluster, load)));
  const clicks = load.made.values().reduce((sum, link) => sum + link.clicks, 0);
  const { version, keepsStatements } = providePgBouncer();
  const pooler = `PgBouncer ${version}${keepsStatements ? '' : ' in session mode, because it is too old for transaction mode'}`;
  summary.push(`${load.made.size} links created, ${clicks} clicks redirected`, pooler);
  return { broken, summary: summary.join('; ') };
}

function describe({ withoutCreates, afterPromotion, redirects }: Failover): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  return `no links could be created for ${seconds(withoutCreates)} s (${seconds(afterPromotion)} s of it after the promotion), ${redirects} redirects in this time`;
}
