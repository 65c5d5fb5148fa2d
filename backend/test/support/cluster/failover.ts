import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Load } from './load.ts';

/** How a primary is lost: with its machine, by a crash, by a hang, or in good order. */
export const LOSSES = ['kill', 'crash', 'freeze', 'stop'] as const;
export type Loss = (typeof LOSSES)[number];

/** What a failover looked like from outside. */
export interface Failover {
  /** From the last link that was made before to the first one after, in milliseconds. */
  withoutCreates: number;
  /** From the end of the promotion to the first link, likewise. */
  afterPromotion: number;
  /** Redirects of links at hand meanwhile. */
  redirects: number;
}

/** Links that are made before and after. */
const SOME = 30;

/** Loses the primary under load and makes the standby the primary, after as long as it takes somebody to notice. */
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
 * Has yesterday's primary come back as the primary it takes itself for, for a while, under load.
 *
 * @returns a sentence for each way in which anybody has listened to it
 */
export async function returnUnasked(
  { other, web }: Cluster,
  load: Load,
  loss: Loss,
  during: number,
): Promise<string[]> {
  // Sessions from before it was frozen may hang in it for long, and nobody is at their other end.
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

/** Loses the standby under load until HAProxy has left the primary, which commits nothing any more, and brings it back. */
export async function loseStandby({ primary, other, web }: Cluster, load: Load): Promise<void> {
  await load.makes(SOME);
  await other.kill();
  while (web.some(({ isUp }) => isUp(`primary/${primary.name}`))) await sleep(50);
  await other.start();
  await load.makes(SOME);
}
