import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../../src/commands/key-and-link-commands.ts';
import { systemRandom } from '../../../src/domain/clock-and-random.ts';
import type { Store } from '../../../src/store/interface/store.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { PATIENT } from '../patient.ts';
import { type ApplicationMachine, makeCertificate, startApplicationMachine } from './application-machine.ts';
import { type DatabaseMachine, newDatabaseMachine } from './database-machine.ts';
import { newNetwork } from './example.ts';

/** The example of deploy/cluster on the loopback device: two database machines and two application machines. */
export interface Cluster {
  primary: DatabaseMachine;
  /** The standby, or the former primary after a failover. */
  other: DatabaseMachine;
  web: ApplicationMachine[];
  certificate: string;
  newKey(): Promise<string>;
  /** Promotes the standby, as the guide describes. */
  promote(): Promise<void>;
  /** Turns a stopped former primary into the synchronous standby. */
  rejoin(): Promise<void>;
  /** Connects to the primary directly, without HAProxy and PgBouncer. */
  withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>;
  /** Aborted when the cluster stops, so that clients can stop too. */
  stopped: AbortSignal;
  stop(): Promise<void>;
}

export async function startCluster(processesEach = 1): Promise<Cluster> {
  const network = newNetwork();
  const db1 = newDatabaseMachine('db1', 21, network);
  const db2 = newDatabaseMachine('db2', 22, network);
  const web: ApplicationMachine[] = [];
  const stopping = new AbortController();
  const cluster: Cluster = {
    primary: db1,
    other: db2,
    web,
    certificate: makeCertificate(),
    newKey: () =>
      cluster.withStore((store) =>
        createKey(store, systemRandom, { name: 'load', throttle: 100_000, quota: 1_000_000 }, Date.now()),
      ),
    async promote() {
      await cluster.other.run('promote.sh');
      [cluster.primary, cluster.other] = [cluster.other, cluster.primary];
    },
    async rejoin() {
      const { primary, other } = cluster;
      await other.run('rejoin.sh', primary.host, other.name);
      await other.start();
      await primary.run('synchronous.sh', other.name);
    },
    async withStore(work) {
      const store = await openStore(
        { engine: 'postgres', url: cluster.primary.url, connections: 4, deadlines: PATIENT },
        Date.now(),
        Date.now,
      );
      return work(store).finally(() => store.close());
    },
    stopped: stopping.signal,
    async stop() {
      stopping.abort();
      for (const machine of [db1, db2]) machine.thaw();
      await Promise.all(web.map(({ stop }) => stop()));
      await Promise.all([db1.remove(), db2.remove()]);
    },
  };
  const seesAll = ({ isUp }: ApplicationMachine) =>
    web.every(({ processes }, machine) => processes.every((_, at) => isUp(`api/web${machine + 1}-${at + 1}`)));
  try {
    await db1.initialize();
    await db2.run('new-standby.sh', db1.host, db2.name);
    await db2.start();
    await db1.run('synchronous.sh', db2.name);
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
