import type { DatabaseAddress } from '../backend/src/store/open-store.ts';
import { startPostgres } from '../backend/test/support/postgres-server.ts';
import { makeKeys } from './database.ts';
import { atLeast, type Figure, median, plain } from './figures.ts';
import { type Load, load } from './load.ts';
import { PORTS, type Server, startBare, startTerse } from './process.ts';

interface CreateOptions {
  folder: string;
  /** Database of the measured service. */
  database: DatabaseAddress;
  /** Text added to the labels of the results, such as ` on PostgreSQL`. Empty for SQLite, the default database. */
  engine: string;
  /** Minimum ratio of the CPU times of a bare response and a created link. Null if there is no target. */
  least: number | null;
  start(): Promise<Server>;
  seconds: number;
  rounds: number;
  tell(text: string): void;
}

/** Number of API keys. It is large, so that concurrent requests rarely wait for the database row of the same key. */
const KEYS = 4000;

/** Returns Lua code for wrk that generates requests to create links. Each request uses the next API key. */
function creates(keys: string[]): string {
  return `
    local requests, keys = {}, {${keys.map((key) => `"${key}"`).join(',')}}
    for i, key in ipairs(keys) do
      local body = '{"url":"https://www.example.com/articles/2026/07/' .. i .. '/index.html?ref=7"}'
      requests[i] = wrk.format("POST", "/api/shorten", {["Content-Type"] = "application/json", ["X-API-Key"] = key}, body)
    end
    make = function(at) return requests[at % #requests + 1] end
  `;
}

interface Round extends Load {
  /** CPU time in seconds per response. */
  cost: number;
}

/**
 * Measures how many links per second concurrent clients can create, and the CPU time of the service per link. The
 * service writes each link to disk before it responds. For comparison, the same requests are sent to a server that only
 * responds.
 */
export async function measureCreates(options: CreateOptions): Promise<Figure[]> {
  const { folder, database, engine, least, start, seconds, rounds, tell } = options;
  const requests = creates(await makeKeys(database, KEYS));
  const bare = await startBare();
  const terse = await start();
  async function run(server: Server, port: number, length = seconds): Promise<Round> {
    const before = server.processorTime();
    const round = await load({ port, folder, seconds: length, requests });
    return { ...round, cost: (server.processorTime() - before) / round.answers };
  }
  await run(bare, PORTS.bare, 3);
  await run(terse, PORTS.api, 5);
  const pairs: { bare: Round; terse: Round }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`creates${engine}, round ${round} of ${rounds}`);
    pairs.push({ bare: await run(bare, PORTS.bare), terse: await run(terse, PORTS.api) });
  }
  await bare.stop();
  await terse.stop();
  const name = `create${engine}, durable, to bare by CPU time`;
  const ratio = median(pairs.map(({ bare, terse }) => bare.cost / terse.cost));
  return [
    least === null ? plain(name, ratio.toFixed(2)) : atLeast(name, ratio, least),
    plain(`creates${engine} a second`, median(pairs.map(({ terse }) => terse.rate)).toFixed(0)),
    plain(`creates${engine} that failed`, String(pairs.reduce((sum, { terse }) => sum + terse.failed, 0))),
  ];
}

/** Number of the service's database connections. */
const DATABASE_CONNECTIONS = 10;

/**
 * Measures how fast the service creates links on a temporary PostgreSQL server that syncs commits to disk. PostgreSQL
 * may run on any CPU core. On a machine with two cores, it competes with the service and the load generator.
 */
export async function measurePostgres(
  run: Omit<CreateOptions, 'database' | 'engine' | 'least' | 'start'>,
): Promise<Figure[]> {
  const server = await startPostgres(run.tell, { fsync: 'on' });
  try {
    const url = server.url('postgres');
    return await measureCreates({
      ...run,
      database: { engine: 'postgres', url, connections: DATABASE_CONNECTIONS },
      engine: ' on PostgreSQL',
      least: null,
      start: () => startTerse(url),
    });
  } finally {
    await server.stop();
  }
}
