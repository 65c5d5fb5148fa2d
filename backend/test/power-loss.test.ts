import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey } from '../src/domain/accounts/api-keys.ts';
import { move as moveDatabase } from '../src/move-database/move-database.ts';
import { MARKS } from '../src/store/migrations/all-migrations.ts';
import { openStore } from '../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../src/store/sql/account-queries.ts';
import {
  PATHS,
  type PowerCut,
  type PromisedLink,
  recordSession,
  type Session,
} from './support/power/record-session.ts';
import { startServe } from './support/process.ts';

/** Folder in memory, so that the test does not wait for a disk when it opens the files that a power cut left. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let folder: string;
let session: Session;
beforeAll(async () => {
  folder = mkdtempSync(join(MEMORY, 'terse-power-'));
  session = await recordSession(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cutAt = (position: number) => session.cuts.find(({ at }) => at >= position) as PowerCut;

/** Writes the files that a power cut left, opens them, and returns a message for each broken promise. */
async function check({ at, remains }: Omit<PowerCut, 'loss'>, startsService = false): Promise<string[]> {
  const disk = mkdtempSync(join(folder, 'cut-'));
  for (const [path, content] of remains) {
    mkdirSync(dirname(join(disk, path)), { recursive: true });
    writeFileSync(join(disk, path), content);
  }
  const { backup, restore, move } = session;
  const broken: string[] = [];
  // The backup was made while no request was in progress, so it contains exactly the changes that were confirmed
  // before.
  if (at >= backup.end) broken.push(...(await findBrokenPromises(join(disk, PATHS.backup), backup.start)));
  if (at >= restore.end) broken.push(...(await findBrokenPromises(join(disk, PATHS.restored), backup.start)));
  const [from, to] = [PATHS.database, PATHS.moved].map((path) => join(disk, path)) as [string, string];
  const isMoved = isMovedAway(from);
  if (!isMoved && at >= move.end) broken.push('the old database can be used after the move');
  // A move that was cut off after it had marked the old database is completed by the same command.
  if (isMoved && at < move.end) await completeMove(from, to);
  const current = isMoved ? to : from;
  if (startsService) {
    const service = await startServe(disk, { TERSE_DATABASE: `file:${current}` });
    expect(await service.end('SIGTERM'), service.stderr()).toBe(0);
  }
  broken.push(...(await findBrokenPromises(current, at)));
  rmSync(disk, { recursive: true });
  return broken;
}

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

async function completeMove(from: string, to: string): Promise<void> {
  const [source, target] = [from, to].map((path) => ({ engine: 'sqlite' as const, path }));
  if (source && target) await moveDatabase({ from: source, to: target, now: Date.now(), printLine: () => {} });
}

async function findBrokenPromises(path: string, at: number): Promise<string[]> {
  const broken: string[] = [];
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  await store.clicks.count();
  for (const link of session.links) {
    const stored = await store.links.find(FIRST_ACCOUNT, link.code);
    const actual = stored && (stored.deletedAt === null ? stored.url : 'deleted');
    const possible = possibleVersions(link, at);
    if (!possible.includes(actual)) broken.push(`${link.code} is ${actual} instead of ${possible.join(' or ')}`);
    if (stored?.deletedAt !== null) continue;
    const saved = at >= session.stopped ? link.clicks.filter((click) => click.at < at).length : 0;
    const { clicks } = stored;
    if (clicks < saved || clicks > link.clicks.length) broken.push(`${link.code} has ${clicks} clicks, not ${saved}`);
  }
  if (at >= session.created.end && !(await store.keys.find(hashKey(session.key)))) broken.push('the key is missing');
  await store.close();
  const connection = new DatabaseSync(path, { readOnly: true });
  const [{ integrity_check: integrity } = {}] = connection.prepare('PRAGMA integrity_check').all();
  connection.close();
  return integrity === 'ok' ? broken : [...broken, `${path} is damaged: ${integrity}`];
}

/** Returns the states of a link that the responses allow. The next request may have been executed without response. */
function possibleVersions({ versions }: PromisedLink, at: number): (string | null)[] {
  const answered = versions.findLastIndex(({ answer }) => answer.at < at);
  const states = [null, ...versions.map(({ url }) => url ?? 'deleted')];
  return states.slice(answered + 1, answered + 3);
}

describe('after a power failure that loses what was not flushed', () => {
  it('all confirmed changes exist', async () => {
    expect(session.cuts.length).toBeGreaterThan(50);
    for (const cut of session.cuts) expect(await check(cut), `cut at ${cut.at}, loses ${cut.loss}`).toEqual([]);
  });

  it('the service starts and stops, and all confirmed changes still exist', async () => {
    for (const at of [session.backup.start, session.stopped]) expect(await check(cutAt(at), true)).toEqual([]);
  });

  it('a disk that has lost what was confirmed is detected', async () => {
    const { backup, stopped, move } = session;
    const old = (position: number) => cutAt(position).remains;
    expect(await check({ at: stopped, remains: old(backup.start) })).not.toEqual([]);
    const unmoved = await check({ at: move.end, remains: old(move.start) });
    expect(unmoved).toEqual(['the old database can be used after the move']);
  });
});
