import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey } from '../src/domain/accounts/api-keys.ts';
import { move } from '../src/move-database/move-database.ts';
import { MARKS } from '../src/store/migrations/all-migrations.ts';
import { openStore } from '../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../src/store/sql/account-queries.ts';
import { run, startServe } from './support/process.ts';
import { createRecordedDisk, LOSSES, type Loss, type Remains, tracer } from './support/recorded-disk.ts';
import { post } from './support/service.ts';

/** Folder in memory, so that the test does not wait for a disk when it opens the files that a power cut left. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** strace does not see file accesses through io_uring. */
const ENVIRONMENT = { TERSE_THROTTLE: '100000', TERSE_DAILY_QUOTA: '1000000', UV_USE_IO_URING: '0' };
const PATHS = {
  database: 'data/terse.db',
  backup: 'backup.db',
  restored: 'restored/terse.db',
  moved: 'moved/terse.db',
};

/** Processes that use one database, one after the other. */
const PROCESSES = ['first start', 'key', 'killed', 'backup', 'stopped', 'restore', 'move'] as const;
type Process = (typeof PROCESSES)[number];

/** Links by short code, with their URL or `deleted`, and with the number of clicks. */
type Links = Record<string, { url: string; clicks: number }>;

/** Files that a power cut leaves. */
interface PowerCut {
  remains: Remains;
  loss: Loss;
  /** Number of responses that the service had sent. */
  answered: number;
  ended: Process[];
}

let folder: string;
const cuts: PowerCut[] = [];
/** All links after each response of the service. The service answers one request at a time. */
const states: Links[] = [{}];
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(realpathSync(MEMORY), 'terse-power-'));
  const root = join(folder, 'disk');
  mkdirSync(root);
  const disk = createRecordedDisk(root);
  let answered = 0;
  const ended: Process[] = [];
  const cut = () =>
    cuts.push(...LOSSES.map((loss) => ({ remains: disk.remains(loss), loss, answered, ended: [...ended] })));
  async function record(process: Process, use: (launcher: string[]) => Promise<number | null>): Promise<void> {
    const log = join(folder, `calls of ${process}`.replaceAll(' ', '-'));
    const code = await use(tracer(log));
    await disk.add(log, code === null, (event) => {
      // Between two flushes, the files that a power cut leaves do not change.
      if (event === 'flush') cut();
      else answered += 1;
    });
    // The record of a killed process may lack its last response, although the client has received it.
    answered = states.length - 1;
    ended.push(process);
    cut();
  }
  const serve = (process: Process, signal: NodeJS.Signals) =>
    record(process, async (launcher) => {
      const { addresses, end } = await startServe(root, ENVIRONMENT, launcher);
      if (key) await useLinks(addresses, process);
      return end(signal);
    });
  const command = (process: Process, args: string[], database = PATHS.database) =>
    record(process, async (launcher) => {
      const settings = { ...ENVIRONMENT, TERSE_DATABASE: `file:${database}` };
      const { code, stdout, stderr } = await run(root, args, settings, 'main.ts', `exec ${launcher.join(' ')} "$@"`);
      expect(code, stderr).toBe(0);
      if (process === 'key') key = stdout.trim();
      return code;
    });
  await serve('first start', 'SIGKILL');
  await command('key', ['keys', 'create', '--name', 'test']);
  await serve('killed', 'SIGKILL');
  await command('backup', ['backup', PATHS.backup]);
  await serve('stopped', 'SIGTERM');
  await command('restore', ['restore', PATHS.backup], PATHS.restored);
  await command('move', ['move', `file:${PATHS.database}`, `file:${PATHS.moved}`]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates, clicks, edits and deletes links, one after the other. */
async function useLinks({ api, short }: { api: string; short: string }, name: string): Promise<void> {
  async function send(url: string, init: RequestInit, change: (links: Links) => void): Promise<void> {
    const response = await fetch(url, { redirect: 'manual', ...init });
    expect(response.status, await response.text()).toBeLessThan(400);
    const links = structuredClone(states.at(-1) as Links);
    change(links);
    states.push(links);
  }
  for (let at = 0; at < 6; at += 1) {
    const [one, two] = [`${name}-${at}-one`, `${name}-${at}-two`];
    const fields = (shortCode: string) => ({ url: `https://example.com/${shortCode}`, shortCode });
    const made = (code: string) => ({ [code]: { url: fields(code).url, clicks: 0 } });
    await send(`${api}/api/v1/urls`, post(key, fields(one)), (links) => Object.assign(links, made(one)));
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0' };
    await send(`${short}/${one}`, { headers }, (links) => Object.assign(links[one] ?? {}, { clicks: 1 }));
    const edit = { ...post(key, { url: 'https://example.com/edited' }), method: 'PATCH' };
    await send(`${api}/api/v1/urls/${one}`, edit, (links) =>
      Object.assign(links[one] ?? {}, { url: 'https://example.com/edited' }),
    );
    const batch = post(key, { urls: [fields(two), fields(`${two}-more`)] });
    await send(`${api}/api/v1/urls/batch`, batch, (links) => Object.assign(links, made(two), made(`${two}-more`)));
    const deletion = { ...post(key, ''), method: 'DELETE', body: null };
    await send(`${api}/api/v1/urls/${two}`, deletion, (links) => Object.assign(links[two] ?? {}, { url: 'deleted' }));
  }
}

/** Writes the files that a power cut left, opens them, and returns a message for each broken promise. */
async function check({ remains, answered, ended }: Omit<PowerCut, 'loss'>, startsService = false): Promise<string[]> {
  const disk = mkdtempSync(join(folder, 'cut-'));
  for (const [path, content] of remains) {
    mkdirSync(dirname(join(disk, path)), { recursive: true });
    writeFileSync(join(disk, path), content);
  }
  const at = (path: string) => join(disk, path);
  const broken: string[] = [];
  const { answered: before } = after('killed');
  if (ended.includes('backup')) broken.push(...(await compare(at(PATHS.backup), [before], ended)));
  if (ended.includes('restore')) broken.push(...(await compare(at(PATHS.restored), [before], ended)));
  let current = at(PATHS.database);
  if (isMovedAway(current)) {
    const [from, to] = [current, at(PATHS.moved)].map((path) => ({ engine: 'sqlite' as const, path }));
    // A move that was cut off after it had marked the old database is completed by the same command.
    if (from && to && !ended.includes('move')) await move({ from, to, now: Date.now(), printLine: () => {} });
    current = at(PATHS.moved);
  } else if (ended.includes('move')) broken.push('the old database can be used after the move');
  if (startsService) {
    const service = await startServe(disk, { TERSE_DATABASE: `file:${current}` });
    expect(await service.end('SIGTERM'), service.stderr()).toBe(0);
  }
  // The next request may have been executed without a response.
  broken.push(...(await compare(current, [answered, answered + 1], ended)));
  rmSync(disk, { recursive: true });
  return broken;
}

/** Returns the power cut after the end of a process. */
const after = (process: Process) => cuts.find(({ ended }) => ended.at(-1) === process) as PowerCut;

function isMovedAway(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path);
  try {
    return database.prepare('SELECT id FROM migrations WHERE id = ?').get(MARKS.movedAway) !== undefined;
  } catch {
    // The database was still empty.
    return false;
  } finally {
    database.close();
  }
}

/** Compares a database with the links after one of several responses. */
async function compare(path: string, responses: number[], ended: Process[]): Promise<string[]> {
  const broken: string[] = [];
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  await store.clicks.count();
  const found: Record<string, string> = {};
  for (const code of Object.keys(states.at(-1) as Links)) {
    const link = await store.links.find(FIRST_ACCOUNT, code);
    if (!link) continue;
    found[code] = link.deletedAt === null ? link.url : 'deleted';
    const clicks = responses.map((response) => states[response]?.[code]?.clicks ?? 0);
    // Clicks are not flushed at once. They may be lost until the service has stopped, but not be counted twice.
    const isLost = link.clicks < (clicks[0] ?? 0) && ended.includes('stopped') && link.deletedAt === null;
    if (isLost || link.clicks > Math.max(...clicks)) broken.push(`${code} has ${link.clicks} clicks, not ${clicks}`);
  }
  const urlsIn = (links: Links = {}) => Object.fromEntries(Object.entries(links).map(([code, { url }]) => [code, url]));
  const possible = responses.map((response) => JSON.stringify(urlsIn(states[response])));
  if (!possible.includes(JSON.stringify(found)))
    broken.push(`${JSON.stringify(found)} is not ${possible.join(' or ')}`);
  if (ended.includes('key') && !(await store.keys.find(hashKey(key)))) broken.push('the key is missing');
  await store.close();
  const connection = new DatabaseSync(path, { readOnly: true });
  const [{ integrity_check: integrity } = {}] = connection.prepare('PRAGMA integrity_check').all();
  connection.close();
  return integrity === 'ok' ? broken : [...broken, `${path} is damaged: ${integrity}`];
}

describe('after a power failure that loses what was not flushed', () => {
  it('all confirmed changes exist', async () => {
    expect(cuts.length).toBeGreaterThan(100);
    for (const cut of cuts) {
      const when = `after ${cut.answered} responses and ${cut.ended}, loses ${cut.loss}`;
      expect(await check(cut), when).toEqual([]);
    }
  });

  it('the service starts and stops, and all confirmed changes still exist', async () => {
    for (const process of ['killed', 'stopped'] as const) expect(await check(after(process), true)).toEqual([]);
  });

  it('a disk that has lost what was confirmed is detected', async () => {
    const old = { remains: after('killed').remains };
    expect(await check({ ...after('stopped'), ...old })).not.toEqual([]);
    const unmoved = await check({ ...after('move'), remains: after('restore').remains });
    expect(unmoved).toEqual(['the old database can be used after the move']);
  });
});
