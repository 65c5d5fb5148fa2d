import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkHistory } from '../../../../scripts/check-request-history.ts';
import type { Chance } from '../../../../scripts/torture/random-choices.ts';
import { clickAll, type Entrance, startClients } from '../../../../scripts/torture/service-faults/clients.ts';
import { History } from '../../../../scripts/torture/service-faults/history.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../../src/store/sql/account-queries.ts';
import { provideProgram } from '../program.ts';
import { PATIENT } from '../program-changes.ts';
import type { Cluster } from './cluster.ts';
import type { DatabaseMachine } from './database-machine.ts';
import { PORTS } from './example.ts';

/** Failures of the primary: loss or hang of the machine. */
export const LOSSES = ['kill', 'freeze'] as const;
export type Loss = (typeof LOSSES)[number];

/** Number of links to create before and after a failover. */
const SOME = 30;

/** Daily quotas of the API keys. No client uses them up. */
const QUOTAS = { one: 1_000_000, other: 1_000_000 };

/** Clients that use the public addresses of a cluster through both application machines. */
export interface Load {
  /** Waits until the clients have created some more links. */
  makesSome(): Promise<void>;
  /**
   * Stops the clients and the cluster's processes. Returns a message for each broken promise, and a summary of the
   * calls.
   */
  end(): Promise<{ broken: string[]; summary: string }>;
}

export async function startLoad(cluster: Cluster, seed: number, chance: Chance): Promise<Load> {
  const addresses = { api: `https://links.example.com:${PORTS.https}`, short: `https://sho.rt:${PORTS.https}` };
  const entrances = cluster.web.map(
    ({ host }): Entrance => ({ ...addresses, proxy: { hostname: host, ca: cluster.certificate } }),
  );
  const history = new History(null, { service: 'cluster', seed, quotas: QUOTAS });
  const keys = { one: await cluster.newKey(), other: await cluster.newKey() };
  const clients = startClients(entrances as [Entrance], keys, history, chance);
  return {
    async makesSome() {
      const goal = clients.created() + SOME;
      while (clients.created() < goal) {
        cluster.stopped.throwIfAborted();
        await sleep(20);
      }
    },
    async end() {
      await clients.stop();
      const [{ database = '' } = {}] = cluster.web;
      const store = await openStore(
        { engine: 'postgres', url: database, connections: 1, timeout: PATIENT },
        Date.now(),
      );
      const read = () => store.links.list(FIRST_ACCOUNT, null, 1_000_000);
      const codes = (await read()).map(({ code }) => code);
      await clickAll(entrances[0] as Entrance, codes, history);
      const processes = cluster.web.flatMap(({ processes }) => processes);
      // Each process counts its clicks before it stops.
      const ends = await Promise.all(
        processes.map(async ({ end, stderr }) => ({ code: await end('SIGTERM'), stderr })),
      );
      const links = (await read()).map(({ code, url, clicks }) => ({ code, url, clicks }));
      await store.close();
      await history.call({ client: 'reader', type: 'read' }, async () => ({ event: 'ok', links }));
      const { violations, summary } = checkHistory(history.end());
      const ended = ends.filter(({ code }) => code !== 0).map(({ stderr }) => `A process has ended:\n${stderr()}`);
      return { broken: [...violations, ...ended], summary: summary.join() };
    },
  };
}

/**
 * Makes the primary fail under load. When the clients can create links again, brings the failed machine back and waits
 * until it is a standby.
 */
export async function failOver(cluster: Cluster, load: Load, loss: Loss): Promise<void> {
  await load.makesSome();
  const lost = await cluster.whole();
  await lost[loss]();
  await load.makesSome();
  if (loss === 'freeze') lost.thaw();
  else lost.start();
  await cluster.whole();
}

/** Kills one standby under load, and replaces it by a new machine without data, as in the guide. */
export async function replaceStandby(cluster: Cluster, load: Load): Promise<void> {
  const primary = await cluster.whole();
  const standby = cluster.databases.find((machine) => machine !== primary) as DatabaseMachine;
  await standby.kill();
  await load.makesSome();
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
  await load.makesSome();
}
