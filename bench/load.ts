import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeInLua } from './database.ts';
import { LOAD_CORE } from './process.ts';
import type { Sending } from './sender.ts';

export interface Load {
  /** Number of responses that had the expected status. */
  answers: number;
  rate: number;
  /** Number of failed connections and of responses with status 400 or above. */
  failed: number;
}

export interface LoadOptions {
  port: number;
  seconds: number;
  folder: string;
  /**
   * Lua code that defines the function `make`. The function receives the number of a request, starting at 1, and
   * returns the complete HTTP request.
   */
  requests: string;
}

export const CONNECTIONS = 50;

const script = (requests: string) => `
local at = 0
function init(args)
  wrk.headers["Host"] = "127.0.0.1"
  ${requests}
end
function request()
  at = at + 1
  return make(at)
end
function done(summary)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"duration":%d,"status":%d,"lost":%d}\\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout))
end
`;

/** Runs a load test against a server with wrk. The server and wrk run on different CPU cores. */
export async function load({ port, seconds, folder, requests }: LoadOptions): Promise<Load> {
  const path = join(folder, `load-${port}.lua`);
  writeFileSync(path, script(requests));
  const args = ['-c', String(LOAD_CORE), 'wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', path];
  const { stdout } = await promisify(execFile)('taskset', [...args, `http://127.0.0.1:${port}/`]);
  rmSync(path);
  const [, text] = /^RESULT (.+)$/m.exec(stdout) ?? [];
  if (!text) throw new Error(`wrk said something unexpected:\n${stdout}`);
  const result = JSON.parse(text);
  const answers = result.requests - result.status;
  return {
    answers,
    rate: answers / (result.duration / 1e6),
    failed: result.status + result.lost,
  };
}

const SENDER = fileURLToPath(new URL('./sender.ts', import.meta.url));

/**
 * Sends requests to a server at a fixed rate, from a different CPU core than the server's. Returns the 99th percentile
 * of their latencies in milliseconds.
 */
export async function latencyAtRate(sending: Sending): Promise<number> {
  const sender = promisify(execFile)('taskset', ['-c', String(LOAD_CORE), process.execPath, SENDER]);
  sender.child.stdin?.end(JSON.stringify(sending));
  return Number((await sender).stdout);
}

/** User agents and referrers of real browsers, so that the benchmark includes the cost of classifying clicks. */
export const VISITORS = {
  agents: [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  ],
  referrers: ['https://news.example/story/1', 'https://search.example/', 'https://www.forum.example/t/77?page=2'],
};

const list = (texts: string[]) => `{${texts.map((text) => JSON.stringify(text)).join(', ')}}`;

/**
 * Seed for the random choice of links. Each load test uses a different seed, so that no two load tests request the
 * links in the same order.
 */
let seed = 0;

/**
 * Returns Lua code that requests random links with short codes from `codeAt`. The code builds each request from a few
 * parts, because a list of complete requests would fill the CPU caches.
 */
export function visits(links: number): string {
  seed += 1;
  return `
  local agents, referrers = ${list(VISITORS.agents)}, ${list(VISITORS.referrers)}
  math.randomseed(${seed})
  local rest = {}
  for i = 1, 12 do
    local headers = {["User-Agent"] = agents[i % 4 + 1], ["Accept"] = "text/html", ["Accept-Language"] = "en"}
    if i % 4 > 0 then headers["Referer"] = referrers[i % 3 + 1] end
    rest[i] = string.sub(wrk.format("GET", "/", headers), 6)
  end
  make = function(at)
    return "GET /" .. ${codeInLua(`math.random(0, ${links - 1})`)} .. rest[at % 12 + 1]
  end
`;
}
