import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../process.ts';
import { type ApplicationMachine, makeCertificate, PASSWORD, startApplicationMachine } from './application-machine.ts';
import { type DatabaseMachine, newDatabaseMachine } from './database-machine.ts';
import { newNetwork } from './example.ts';

/** The example of deploy/cluster on the loopback device: three database machines and two application machines. */
export interface Cluster {
  databases: DatabaseMachine[];
  web: ApplicationMachine[];
  certificate: string;
  newKey(): Promise<string>;
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
  const cluster: Cluster = {
    databases,
    web,
    certificate: makeCertificate(),
    async newKey() {
      const [{ database = '' } = {}] = web;
      const limits = ['--quota', '1000000', '--throttle', '100000'];
      const { stdout, stderr } = await run('/', ['keys', 'create', '--name', 'load', ...limits], {
        TERSE_DATABASE: database,
      });
      const [key] = /\bterse_\w+/.exec(stdout) ?? [];
      if (key === undefined) throw new Error(`No key was created:\n${stderr}`);
      return key;
    },
    async whole() {
      for (;;) {
        stopping.signal.throwIfAborted();
        for (const machine of databases) if (await isPrimaryWithStandbys(machine)) return machine;
        await sleep(100);
      }
    },
    stopped: stopping.signal,
    async stop() {
      stopping.abort();
      for (const machine of databases) machine.thaw();
      await Promise.all(web.map(({ stop }) => stop()));
      await Promise.all(databases.map((machine) => machine.remove()));
    },
  };
  const seesAll = ({ isUp }: ApplicationMachine) =>
    web.every(({ processes }, machine) => processes.every((_, at) => isUp(`api/web${machine + 1}-${at + 1}`)));
  try {
    for (const machine of databases) machine.start();
    const primary = await cluster.whole();
    await primary.ask(`CREATE ROLE terse LOGIN PASSWORD '${PASSWORD}'`);
    await primary.ask('CREATE DATABASE terse OWNER terse');
    const starting = [11, 12].map((number) =>
      startApplicationMachine(number, network, cluster.certificate, processesEach),
    );
    web.push(...(await Promise.all(starting)));
    while (!web.every(seesAll)) await sleep(50);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}
