import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Load } from './load.ts';

/** Kinds of failures of a primary: loss of the machine, crash, hang, or normal stop. */
export const LOSSES = ['kill', 'crash', 'freeze', 'stop'] as const;
export type Loss = (typeof LOSSES)[number];

/** Effects of a failover on the clients. */
export interface Failover {
  /** Time from the last link before the failover to the first link after it, in milliseconds. */
  withoutCreates: number;
  /** Time from the end of the promotion to the first link, in milliseconds. */
  afterPromotion: number;
  /** Number of redirects of cached links during the failover. */
  redirects: number;
}

/** Number of links to create before and after a failover. */
const SOME = 30;

/** Stops the primary under load. After the time that an operator needs to notice, promotes the standby. */
export async function failOver(cluster: Cluster, load: Load, loss: Loss, noticedAfter: number): Promise<Failover> {
  await load.makes(SOME);
  await cluster.primary[loss]();
  await sleep(noticedAfter);
  await cluster.promote();
  const promotedAt = performance.now();
  await load.makes(SOME);
  const { creates, redirectsAtHand } = load.moments;
  const first = creates.find((at) => at > promotedAt) as number;
  const last = creates[creates.indexOf(first) - 1] as number;
  return {
    withoutCreates: first - last,
    afterPromotion: first - promotedAt,
    redirects: redirectsAtHand.filter((at) => at > last && at < first).length,
  };
}

/**
 * Starts the former primary as a second primary for a while, under load.
 *
 * @returns a message for each client that used the second primary
 */
export async function returnUnasked(
  { other, web }: Cluster,
  load: Load,
  loss: Loss,
  during: number,
): Promise<string[]> {
  // Sessions from before the freeze are ignored. They can stay open for a long time after their clients are gone.
  const sessions = `SELECT FROM pg_stat_activity WHERE usename = 'terse' AND backend_start > to_timestamp(${Date.now() / 1000})`;
  if (loss === 'freeze') other.thaw();
  else await other.start();
  const complaints = new Set<string>();
  const until = performance.now() + during;
  while (performance.now() < until) {
    if ((await other.ask(sessions)).length > 0) complaints.add("Yesterday's primary is asked by the service.");
    await sleep(200);
  }
  if (web.some(({ isUp }) => isUp(`primary/${other.name}`))) complaints.add("HAProxy leads to yesterday's primary.");
  await load.makes(SOME);
  return [...complaints];
}

/**
 * Stops the standby under load and later restores it. In the meantime, the primary cannot commit, so HAProxy drops
 * it.
 */
export async function loseStandby({ primary, other, web }: Cluster, load: Load): Promise<void> {
  await load.makes(SOME);
  await other.kill();
  while (web.some(({ isUp }) => isUp(`primary/${primary.name}`))) await sleep(50);
  await other.start();
  await load.makes(SOME);
}
