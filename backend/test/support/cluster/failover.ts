import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { provideProgram } from '../program.ts';
import type { Cluster } from './cluster.ts';
import type { DatabaseMachine } from './database-machine.ts';
import type { Load } from './load.ts';

/** Failures of the primary: loss of the machine, crash of PostgreSQL, hang of the machine, or shutdown. */
export const LOSSES = ['kill', 'crash', 'freeze', 'stop'] as const;
export type Loss = (typeof LOSSES)[number];

/** Effects of a failover on the clients, in milliseconds. */
export interface Failover {
  /** Longest time between two confirmed creations. */
  withoutCreates: number;
  /** Longest time between two redirects of cached links. */
  withoutRedirects: number;
}

/** Number of links to create before and after a failover. */
const SOME = 30;

/** Maximum time for counting all clicks after the load has ended, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Makes the primary fail under load. When the clients can create links again, brings the failed machine back and waits
 * until it is a standby.
 */
export async function failOver(cluster: Cluster, load: Load, loss: Loss): Promise<Failover> {
  await load.makes(SOME);
  const lost = await cluster.whole();
  const lostAt = performance.now();
  await lost[loss]();
  await load.makes(SOME);
  const until = performance.now();
  const figures = {
    withoutCreates: longestPause(load.moments.creates, lostAt, until),
    withoutRedirects: longestPause(load.moments.redirectsAtHand, lostAt, until),
  };
  await bringBack(cluster, lost, loss);
  return figures;
}

/** Starts a lost machine under load, or lets it continue, and waits until the cluster is complete. */
async function bringBack(cluster: Cluster, machine: DatabaseMachine, loss: Loss): Promise<void> {
  if (loss === 'freeze') machine.thaw();
  else if (loss !== 'crash') machine.start();
  await cluster.whole();
}

/**
 * Kills one standby under load, and later starts it again. The other standby takes over its task.
 *
 * @param isReplaced true if the standby comes back as a new machine without data, as in the guide
 */
export async function loseStandby(cluster: Cluster, load: Load, isReplaced: boolean): Promise<void> {
  const primary = await cluster.whole();
  const standby = cluster.databases.find((machine) => machine !== primary) as DatabaseMachine;
  await standby.kill();
  await load.makes(SOME);
  if (isReplaced) {
    const etcdctl = (...args: string[]) =>
      execFileSync(provideProgram('etcdctl', 'etcd-client'), [`--endpoints=http://${primary.host}:2379`, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const [, id = ''] = new RegExp(`^(\\w+), \\w+, ${standby.name},`, 'm').exec(etcdctl('member', 'list')) ?? [];
    etcdctl('member', 'remove', id);
    etcdctl('member', 'add', standby.name, `--peer-urls=http://${standby.host}:2380`);
    standby.replaceDisk();
  }
  await bringBack(cluster, standby, 'kill');
  await load.makes(SOME);
}

/**
 * Suspends the PostgreSQL servers of both standbys under load for a while. Then kills the primary, which is the only
 * machine that has the last commits.
 */
export async function loseUnreplicatedCommits(cluster: Cluster, load: Load, during: number): Promise<Failover> {
  const primary = await cluster.whole();
  const standbys = cluster.databases.filter((machine) => machine !== primary);
  for (const standby of standbys) standby.freezeDatabase();
  await sleep(during);
  const lostAt = performance.now();
  await primary.kill();
  for (const standby of standbys) standby.thaw();
  await load.makes(SOME);
  const until = performance.now();
  const figures = {
    withoutCreates: longestPause(load.moments.creates, lostAt, until),
    withoutRedirects: longestPause(load.moments.redirectsAtHand, lostAt, until),
  };
  await bringBack(cluster, primary, 'kill');
  return figures;
}

/** Returns the longest time between two moments that includes a part of the period. */
function longestPause(moments: number[], from: number, until: number): number {
  const first = Math.max(0, moments.findIndex((at) => at >= from) - 1);
  const within = moments.slice(first).filter((at) => at <= until);
  return Math.max(...within.map((at, index) => at - (within[index - 1] ?? at)));
}

/**
 * Compares the service's links with the clients' records after the load has ended. Returns a message for each
 * difference.
 */
export async function brokenPromises(cluster: Cluster, load: Load): Promise<string[]> {
  const broken = [...load.complaints];
  for (const { processes } of cluster.web) {
    for (const { child, stderr } of processes) {
      if (child.exitCode !== null || child.signalCode !== null) broken.push(`A process has ended:\n${stderr()}`);
    }
  }
  const { made, answered } = load;
  const stored = await load.list();
  const urls = new Map(stored.map(({ shortCode, url }) => [shortCode, url]));
  for (const [code, { url }] of made) {
    if (urls.get(code) !== url) broken.push(`${code} was answered for ${url}, and the service has ${urls.get(code)}`);
  }
  if (made.size !== answered.size || stored.length !== answered.size) {
    broken.push(`${answered.size} requests made ${made.size} links, and the service has ${stored.length}`);
  }
  return [...broken, ...(await miscounted(load))];
}

async function miscounted(load: Load): Promise<string[]> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const wrong = await differences(load);
    if (wrong.length === 0 || performance.now() > until) return wrong;
    await sleep(200);
  }
}

async function differences({ made, list }: Load): Promise<string[]> {
  return (await list()).flatMap(({ shortCode, clicks }) => {
    const { clicks: least = 0, unanswered = 0 } = made.get(shortCode) ?? {};
    if (clicks >= least && clicks <= least + unanswered) return [];
    return [`${shortCode}: ${least} visits were answered, ${unanswered} were not, and ${clicks} are counted`];
  });
}
