import { execFileSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameKey } from '../../backend/src/domain/accounts/names-invitations-sessions.ts';
import { FIRST_ACCOUNT } from '../../backend/src/store/interface/store.ts';
import { openStore } from '../../backend/src/store/open-store.ts';
import { creates } from '../creates.ts';
import { codeAt, makeKeys, sizeOf } from '../database.ts';
import { type Load, load, visits } from '../load.ts';
import { PORTS, type Server, startTerse } from '../process.ts';
import { timesOf } from './ask.ts';

export interface Measured {
  name: string;
  values: number[];
  unit: string;
}

interface DatabaseOptions {
  folder: string;
  path: string;
  /**
   * Number of links in the database. Their short codes are those of `codeAt`. All links belong to the first account.
   */
  links: number;
  seconds: number;
  tell(text: string): void;
}

const KEYS = 400;

/** Settings that make the service read the visitor's address and the dashboard's user from request headers. */
const PROXY = { TERSE_TRUSTED_PROXIES: '127.0.0.1', TERSE_AUTH_PROXY_HEADER: 'Remote-User' };
const USER = 'bench';

/** Seconds to wait after the start, while the service does its periodic work. */
const QUIET_SECONDS = 5;

/** Maximum time until all clicks are counted, in seconds. */
const MAX_COUNTING_SECONDS = 600;

/** Measures the service with one database. */
export async function measureDatabase({ folder, path, links, seconds, tell }: DatabaseOptions): Promise<Measured[]> {
  const results: Measured[] = [];
  const note = (name: string, unit: string, ...values: number[]): void => {
    results.push({ name, values, unit });
    tell(`${name}: ${values.map((value) => value.toFixed(2)).join(', ')} ${unit}`);
  };
  note('file', 'MB', sizeOf(path) / 2 ** 20);
  note('file, each link', 'bytes', sizeOf(path) / links);
  const keys = await makeKeys({ engine: 'sqlite', path }, KEYS);
  await signUp(path);
  const start = async (name: string): Promise<Server> => {
    const before = performance.now();
    const server = await startTerse(path, PORTS.api, PORTS.short, PROXY);
    note(name, 'ms', performance.now() - before);
    return server;
  };

  dropCachedPages(path);
  const server = await start('start, nothing of the file in memory');
  await sleep(QUIET_SECONDS * 1000);
  note(`processor time of the start and ${QUIET_SECONDS} seconds`, 's', server.processorTime());
  note('memory at rest', 'MB', server.memory().resident);

  const timed = async (name: string, ask: Parameters<typeof timesOf>[0]): Promise<void> => {
    const before = server.processorTime();
    const { p50, p99, count } = await timesOf(ask);
    const used = ((server.processorTime() - before) * 1000) / count;
    note(`${name}: p50, p99, processor time each`, 'ms', p50, p99, used);
  };
  const run = async (name: string, port: number, requests: string): Promise<Load> => {
    const before = server.processorTime();
    const result = await load({ port, folder, seconds, requests });
    const used = ((server.processorTime() - before) * 1e6) / result.answers;
    note(`${name}, 50 connections, a second`, '', result.rate);
    note(`${name}, 50 connections: p99`, 'ms', result.p99);
    note(`${name}, 50 connections: processor time each`, 'µs', used);
    if (result.failed > 0) throw new Error(`${result.failed} requests failed (${name}).`);
    return result;
  };

  const short = `http://127.0.0.1:${PORTS.short}`;
  const api = `http://127.0.0.1:${PORTS.api}`;
  const asKey = (at: number) => ({ 'X-API-Key': keys[at % KEYS] as string });
  const anyLink = () => codeAt(Math.floor(Math.random() * links));
  await timed('redirect of any link, nothing of the file in memory', () => ({ url: `${short}/${anyLink()}` }));
  await run('look-ups of any link (HEAD)', PORTS.short, visits(links, 'HEAD'));
  const visited = await run('counted redirects of any link (GET)', PORTS.short, visits(links));
  const endOfVisits = performance.now();
  await allCounted(path, visited.answers);
  note('time until all of them are counted', 's', (performance.now() - endOfVisits) / 1000);
  await timed('redirect of any link', () => ({ url: `${short}/${anyLink()}` }));
  // Each request comes from a different IP address, because the service limits requests for unknown codes per client.
  await timed('unknown code', (at) => ({
    url: `${short}/${codeAt(Math.floor(Math.random() * links)).slice(0, 6)}_`,
    headers: { 'X-Forwarded-For': `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` },
    status: 404,
  }));

  await run('creates', PORTS.api, creates(keys));

  const list = (query: string) => (at: number) => ({ url: `${api}/api/v1/urls?${query}`, headers: asKey(at) });
  const middle = codeAt(links / 2 - 1);
  await timed('list of links, first page', list('limit=25'));
  await timed('list of links, page in the middle', list(`limit=25&cursor=${middle}`));
  await timed('search that finds nothing', list('search=otter'));
  const page = (path: string) => () => ({ url: `${api}${path}`, headers: { 'Remote-User': USER } });
  await timed('dashboard, overview', page('/overview'));
  await timed('dashboard, links', page('/links'));
  await timed('dashboard, links by clicks', page('/links?order=clicks'));
  await timed('dashboard, links by clicks, page in the middle', page(`/links?order=clicks&after=${middle}`));
  await timed('analytics of any link', (at) => ({ url: `${api}/api/v1/analytics/${anyLink()}`, headers: asKey(at) }));

  note('memory of its own after that', 'MB', server.memory().own);
  note('the same with the pages of the file', 'MB', server.memory().resident);
  const before = performance.now();
  await server.stop();
  note('stop', 'ms', performance.now() - before);
  await (await start('start again')).stop();
  return results;
}

/** Creates a dashboard user for the account that owns all links. */
async function signUp(path: string): Promise<void> {
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  const hash = Buffer.alloc(32);
  const now = Date.now();
  await store.accounts.invite({ accountId: FIRST_ACCOUNT, hash, createdAt: now, expiresAt: now + 60_000 });
  await store.accounts.accept({ hash, name: USER, nameKey: nameKey(USER), password: 'none', now });
  await store.close();
}

/** Removes a file from the operating system's cache, so that the file is read from disk again. */
function dropCachedPages(path: string): void {
  execFileSync('dd', [
    'if=/dev/null',
    `of=${path}`,
    'oflag=nocache',
    'conv=notrunc,fdatasync',
    'count=0',
    'status=none',
  ]);
}

async function allCounted(path: string, clicks: number): Promise<void> {
  const database = new DatabaseSync(path, { readOnly: true });
  const sum = database.prepare('SELECT coalesce(sum(clicks), 0) AS clicks FROM account_hours');
  for (let second = 0; second < MAX_COUNTING_SECONDS; second += 1) {
    if ((sum.get() as { clicks: number }).clicks >= clicks) break;
    await sleep(1000);
  }
  database.close();
}
