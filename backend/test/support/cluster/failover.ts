import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { provideProgram } from '../program.ts';
import type { Cluster } from './cluster.ts';
import type { DatabaseMachine } from './database-machine.ts';
import type { Load } from './load.ts';

/** Failures of the primary: loss or hang of the machine. */
export const LOSSES = ['kill', 'freeze'] as const;
export type Loss = (typeof LOSSES)[number];

/** Number of links to create before and after a failover. */
const SOME = 30;

/** Maximum time for counting all clicks after the load has ended, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Makes the primary fail under load. When the clients can create links again, brings the failed machine back and waits
 * until it is a standby.
 */
export async function failOver(cluster: Cluster, load: Load, loss: Loss): Promise<void> {
  await load.makes(SOME);
  const lost = await cluster.whole();
  await lost[loss]();
  await load.makes(SOME);
  if (loss === 'freeze') lost.thaw();
  else lost.start();
  await cluster.whole();
}

/** Kills one standby under load, and replaces it by a new machine without data, as in the guide. */
export async function replaceStandby(cluster: Cluster, load: Load): Promise<void> {
  const primary = await cluster.whole();
  const standby = cluster.databases.find((machine) => machine !== primary) as DatabaseMachine;
  await standby.kill();
  await load.makes(SOME);
  const etcdctl = (...args: string[]) =>
    execFileSync(provideProgram('etcdctl', 'etcd-client'), [`--endpoints=http://${primary.host}:2379`, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const [, id = ''] = new RegExp(`^(\\w+), \\w+, ${standby.name},`, 'm').exec(etcdctl('member', 'list')) ?? [];
  etcdctl('member', 'remove', id);
  etcdctl('member', 'add', standby.name, `--peer-urls=http://${standby.host}:2380`);
  standby.replaceDisk();
  standby.start();
  await cluster.whole();
  await load.makes(SOME);
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
