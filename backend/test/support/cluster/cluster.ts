import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkHistory } from '../../../../scripts/check-request-history.ts';
import type { Chance } from '../../../../scripts/torture/random-choices.ts';
import { clickAll, type Entrance, startClients } from '../../../../scripts/torture/service-faults/clients.ts';
import { History } from '../../../../scripts/torture/service-faults/history.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../../src/store/sql/account-queries.ts';
import { run } from '../process.ts';
import { provideProgram } from '../program.ts';
import { PATIENT } from '../program-changes.ts';
import {
  type ApplicationMachine,
  type DatabaseMachine,
  makeCertificate,
  newDatabaseMachine,
  newNetwork,
  PASSWORD,
  PORTS,
  startApplicationMachine,
} from './machines.ts';

/** The example of deploy/cluster on the loopback device: three database machines and two application machines. */
export interface Cluster {
  databases: DatabaseMachine[];
  web: ApplicationMachine[];
  certificate: string;
  /** Returns the primary as soon as it has two standbys and one of them may replace it. */
  whole(): Promise<DatabaseMachine>;
  /** Aborted when the cluster stops, so that clients can stop too. */
  stopped: AbortSignal;
  stop(): Promise<void>;
}

export async function startCluster(processesEach = 1): Promise<Cluster> {
  const network = newNetwork();
  const databases = [21, 22, 23].map((number, at) => newDatabaseMachine(`db${at + 1}`, number, network));
  const web: ApplicationMachine[] = [];
  const certificate = makeCertificate();
  const stopping = new AbortController();

  /** Patroni promotes only a synchronous standby, and takes some seconds to choose the next one after a failure. */
  async function isPrimaryWithStandbys({ host, ask }: DatabaseMachine): Promise<boolean> {
    const get = (path: string) => fetch(`http://${host}:8008${path}`).catch(() => null);
    if ((await get('/primary'))?.status !== 200) return false;
    const { members = [] } = ((await (await get('/cluster'))?.json()) ?? {}) as { members?: { role: string }[] };
    // A base backup, with which a standby is created, streams too. It is not named after a machine.
    const streaming = "SELECT FROM pg_stat_replication WHERE state = 'streaming' AND application_name ~ '^db[123]$'";
    const standbys = await ask(streaming).catch(() => []);
    return standbys.length === 2 && members.some(({ role }) => role === 'sync_standby');
  }
  async function whole(): Promise<DatabaseMachine> {
    for (;;) {
      stopping.signal.throwIfAborted();
      for (const machine of databases) if (await isPrimaryWithStandbys(machine)) return machine;
      await sleep(100);
    }
  }
  async function stop(): Promise<void> {
    stopping.abort();
    for (const machine of databases) machine.thaw();
    await Promise.all(web.map((machine) => machine.stop()));
    await Promise.all(databases.map((machine) => machine.remove()));
  }
  const seesAll = ({ isUp }: ApplicationMachine) =>
    web.every(({ processes }, machine) => processes.every((_, at) => isUp(`api/web${machine + 1}-${at + 1}`)));
  try {
    for (const machine of databases) machine.start();
    const primary = await whole();
    await primary.ask(`CREATE ROLE terse LOGIN PASSWORD '${PASSWORD}'`);
    await primary.ask('CREATE DATABASE terse OWNER terse');
    const starting = [11, 12].map((number) => startApplicationMachine(number, network, certificate, processesEach));
    web.push(...(await Promise.all(starting)));
    while (!web.every(seesAll)) await sleep(50);
  } catch (error) {
    await stop();
    throw error;
  }
  return { databases, web, certificate, whole, stopped: stopping.signal, stop };
}

/** Failures of the primary: loss or hang of the machine. */
export const LOSSES = ['kill', 'freeze'] as const;

/** Number of links to create before and after a failover. */
const SOME = 30;

/** Daily quota of each API key. No client uses it up. */
const QUOTA = 1_000_000;

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
  const [{ database: url = '' } = {}] = cluster.web;
  const addresses = { api: `https://links.example.com:${PORTS.https}`, short: `https://sho.rt:${PORTS.https}` };
  const entrances = cluster.web.map(
    ({ host }): Entrance => ({ ...addresses, proxy: { hostname: host, ca: cluster.certificate } }),
  );
  const history = new History(null, { service: 'cluster', seed, quotas: { one: QUOTA, other: QUOTA } });
  const newKey = async () => {
    const create = ['keys', 'create', '--name', 'load', '--quota', String(QUOTA), '--throttle', '100000'];
    const { stdout, stderr } = await run('/', create, { TERSE_DATABASE: url });
    const [key] = /\bterse_\w+/.exec(stdout) ?? [];
    if (key === undefined) throw new Error(`No key was created:\n${stderr}`);
    return key;
  };
  const keys = { one: await newKey(), other: await newKey() };
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
      const store = await openStore({ engine: 'postgres', url, connections: 1, timeout: PATIENT }, Date.now());
      const read = () => store.links.list(FIRST_ACCOUNT, null, 1_000_000);
      const codes = (await read()).map(({ code }) => code);
      await clickAll(entrances[0] as Entrance, codes, history);
      const processes = cluster.web.flatMap(({ processes }) => processes);
      const ends = await Promise.all(
        processes.map(async ({ end, stderr }) => ({ code: await end('SIGTERM'), stderr })),
      );
      // A process that stops stores its last clicks, but does not count them.
      await store.clicks.count();
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
export async function failOver(cluster: Cluster, load: Load, loss: (typeof LOSSES)[number]): Promise<void> {
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
