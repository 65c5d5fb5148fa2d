import { makeKeys } from './database.ts';
import { atLeast, type Figure, median, plain } from './figures.ts';
import { type Load, load } from './load.ts';
import { PORTS, type Server, startBare, startTerse } from './process.ts';

interface CreateOptions {
  folder: string;
  /** Database file of the measured service. */
  path: string;
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
  const { folder, path, seconds, rounds, tell } = options;
  const requests = creates(await makeKeys(path, KEYS));
  const bare = await startBare();
  const terse = await startTerse(path);
  async function run(server: Server, port: number, length = seconds): Promise<Round> {
    const before = server.processorTime();
    const round = await load({ port, folder, seconds: length, requests });
    return { ...round, cost: (server.processorTime() - before) / round.answers };
  }
  await run(bare, PORTS.bare, 3);
  await run(terse, PORTS.api, 5);
  const pairs: { bare: Round; terse: Round }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`creates, round ${round} of ${rounds}`);
    pairs.push({ bare: await run(bare, PORTS.bare), terse: await run(terse, PORTS.api) });
  }
  await bare.stop();
  await terse.stop();
  const ratio = median(pairs.map(({ bare, terse }) => bare.cost / terse.cost));
  return [
    atLeast('create, durable, to bare by CPU time', ratio, 0.06),
    plain('creates a second', median(pairs.map(({ terse }) => terse.rate)).toFixed(0)),
    plain('creates that failed', String(pairs.reduce((sum, { terse }) => sum + terse.failed, 0))),
  ];
}
