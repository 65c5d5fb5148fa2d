import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Load } from './load.ts';

/** Ways to lose a primary: with its machine, by a crash, by a hang, or by a normal stop. */
export const LOSSES = ['kill', 'crash', 'freeze', 'stop'] as const;
export type Loss = (typeof LOSSES)[number];

/** A failover as clients saw it. */
export interface Failover {
  /** Time from the last link before to the first link after, in milliseconds. */
  withoutCreates: number;
  /** Time from the end of the promotion to the first link, in milliseconds. */
  afterPromotion: number;
  /** Number of redirects of cached links during the failover. */
  redirects: number;
}

/** Number of links created before and after. */
const SOME = 30;

/** Loses the primary under load and promotes the standby, after the time that an operator needs to notice. */
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
 * Starts the former primary as a primary for a while, under load.
 *
 * @returns a message for each client that used it
 */
export async function returnUnasked(
  { other, web }: Cluster,
  load: Load,
  loss: Loss,
  during: number,
): Promise<string[]> {
  // Ignores sessions from before the freeze. Their clients are gone, but they can hang for a long time.
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
 * Loses the standby under load until HAProxy has dropped the primary, which can no longer commit, and then restores
 * it.
 */
export async function loseStandby({ primary, other, web }: Cluster, load: Load): Promise<void> {
  await load.makes(SOME);
  await other.kill();
  while (web.some(({ isUp }) => isUp(`primary/${primary.name}`))) await sleep(50);
  await other.start();
  await load.makes(SOME);
}
