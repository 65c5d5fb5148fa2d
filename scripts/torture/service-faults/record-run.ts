import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '../../../backend/src/commands/manage.ts';
import { systemRandom } from '../../../backend/src/domain/clock-and-random.ts';
import { type DatabaseAddress, openStore } from '../../../backend/src/store/open-store.ts';
import { adjustableClock } from '../../../backend/test/support/clock.ts';
import { startPostgres } from '../../../backend/test/support/postgres-server.ts';
import { PATIENT } from '../../../backend/test/support/program-changes.ts';
import { type RestartableBackend, startRestartableBackend } from '../../../test/e2e/harness/backend.ts';
import { tempFolder } from '../../../test/e2e/harness/folders.ts';
import { type Gate, openGate } from '../../../test/e2e/harness/proxies.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import { chanceFrom } from '../random-choices.ts';
import { clickAll, type Entrance, readAllLinks, startClients } from './clients.ts';
import { History } from './history.ts';
import { causeFaults } from './random-faults.ts';

const DATABASES = { sqlite: createSqlite, postgres: createPostgres };

/** An empty database and the clock that the service uses. */
export interface Database {
  address: DatabaseAddress;
  environment: Record<string, string>;
  /** Number of service processes that use the database. */
  processes: number;
  /** Sets the service's clock to the real time plus `seconds`, with immediate effect. */
  setClock(seconds: number): void;
  /** Crashes the database server and starts it again. Null if the database has no server. */
  crash: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

/** Creates a SQLite database in `folder`. Only one service process can use the database. */
async function createSqlite(folder: string): Promise<Database> {
  const clock = adjustableClock(join(folder, 'clock'));
  const path = join(folder, 'terse.db');
  return {
    address: { engine: 'sqlite', path },
    environment: { ...clock.environment, TERSE_DATABASE: `file:${path}` },
    processes: 1,
    setClock: clock.set,
    crash: null,
    async stop() {},
  };
}

/**
 * Starts a PostgreSQL server for two processes of the service. The server's clock is adjustable, because quotas
 * depend on the server's time.
 */
async function createPostgres(folder: string): Promise<Database> {
  // PostgreSQL runs as another user and must be able to read the clock file.
  chmodSync(folder, 0o755);
  const clock = adjustableClock(join(folder, 'clock'));
  const server = await startPostgres(console.log, {}, clock.environment);
  const url = server.url('postgres');
  return {
    address: { engine: 'postgres', url, connections: 2, timeout: PATIENT },
    environment: { ...clock.environment, TERSE_DATABASE: url },
    processes: 2,
    setClock: clock.set,
    async crash() {
      await server.crash();
      await server.start();
    },
    stop: server.stop,
  };
}

export interface RunOptions {
  database: keyof typeof DATABASES;
  seed: number;
  faults: number;
  /** File to which the recorded calls are appended. If null, `recordRun` only returns the calls. */
  file: string | null;
}

/** Daily quotas of the API keys. The first two are used up in most runs. */
const QUOTAS = { small: 15, medium: 50, large: 1_000_000 };
/** Maximum requests per second for each API key. It is high, so that most refusals are due to the daily quotas. */
const THROTTLE = 1_000;

/** Runs clients against a real service, causes random faults, and returns the history of the clients' calls. */
export async function recordRun({ database: kind, seed, faults, file }: RunOptions): Promise<string> {
  const folder = tempFolder('service-faults');
  const database = await DATABASES[kind](folder);
  const servers: RestartableBackend[] = [];
  const closers: (() => Promise<void>)[] = [];
  try {
    const keys = await createKeys(database);
    const gates: Gate[] = [];
    const entrances: Entrance[] = [];
    for (let number = 0; number < database.processes; number += 1) {
      const server = await startRestartableBackend(database.environment);
      servers.push(server);
      const { api, short } = server.addresses;
      const both = [await openGate(api), await openGate(short, true)] as const;
      gates.push(...both);
      closers.push(...both.map(({ close }) => close));
      entrances.push({ api: both[0].baseUrl, short: both[1].baseUrl });
    }
    const chance = chanceFrom(seed);
    const history = new History(file, { service: kind, seed, quotas: QUOTAS });
    const clients = startClients(entrances as [Entrance], keys, history, chance);
    closers.push(clients.stop);
    await causeFaults({ database, servers: servers as [RestartableBackend], gates, history }, faults, chance);
    await until('a used up quota, and clicks', clients.hasEnough);
    await clients.stop();
    // A process completes its open calls before it stops. Then all stored clicks are counted.
    const restartAll = async () => {
      await Promise.all(servers.map(({ stop }) => stop()));
      const store = await openStore(database.address, Date.now());
      await store.clicks.count();
      await store.close();
      await Promise.all(servers.map(({ start }) => start()));
    };
    const readLinks = () => readAllLinks(servers[0]?.addresses as Entrance, keys.large ?? '');
    await restartAll();
    const codes = (await readLinks()).map(({ code }) => code);
    await clickAll(entrances[0] as Entrance, codes, history);
    await restartAll();
    await history.call({ client: 'reader', type: 'read' }, async () => ({ event: 'ok', links: await readLinks() }));
    return history.end();
  } finally {
    await Promise.all(servers.map(({ kill }) => kill()));
    await Promise.all(closers.map((close) => close()));
    await database.stop();
  }
}

async function createKeys(database: Database): Promise<Record<string, string>> {
  const store = await openStore(database.address, Date.now());
  const keys: Record<string, string> = {};
  for (const [name, quota] of Object.entries(QUOTAS)) {
    keys[name] = await createKey(store, systemRandom, { name, throttle: THROTTLE, quota }, Date.now());
  }
  await store.close();
  return keys;
}
