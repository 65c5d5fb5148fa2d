import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { journalFolder, segmentPath } from '../../src/clicks/journal-files.ts';
import { createJournal } from '../../src/clicks/journal-writer.ts';
import { type Clicks, startClickCounting } from '../../src/clicks/start-click-counting.ts';
import { backUp } from '../../src/commands/backup-and-restore.ts';
import { sumDay } from '../../src/domain/analytics/daily-counts.ts';
import { readDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { lockFile, lockPath } from '../../src/files/file-lock.ts';
import { createLog } from '../../src/log/json-log.ts';
import type { Store } from '../../src/store/interface/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { NOON } from '../support/store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let folder: string;
let directory: string;
let identity: string;
let store: Store;
let clicks: Clicks | null;
let lines: { level: string; message: string; [field: string]: unknown }[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terse-orphans-'));
  directory = join(folder, 'terse.db-clicks');
  store = await openStore({ engine: 'sqlite', path: join(folder, 'terse.db') }, NOON);
  identity = await store.clicks.identity('0123456789abcdef');
  clicks = null;
  lines = [];
});
afterEach(async () => {
  await clicks?.stop();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Writes a journal like that of a killed process. Each number creates a segment with that many clicks of link 1. */
const leave = (name: string, ...segments: number[]) => leaveAt(journalFolder(directory, identity, name), segments);

function leaveAt(left: string, segments: readonly number[]): string {
  mkdirSync(left, { recursive: true });
  const journal = createJournal({ folder: left, onLost: () => {} });
  for (const count of segments) {
    for (let index = 0; index < count; index += 1) {
      journal.add(NOON, { link: 1, visitor: index, agent: FIREFOX, referrer: '', country: '' });
    }
    journal.commit();
    journal.endSegment();
  }
  journal.close();
  return left;
}

/** Overwrites a file with zeros. After a power failure, a file can have its full length but no content. */
function zero(path: string): void {
  writeFileSync(path, Buffer.alloc(readFileSync(path).length));
}

async function start(name = 'terse.db'): Promise<Clicks> {
  const database = { engine: 'sqlite', path: join(folder, name) } as const;
  const config = {
    database,
    journalDirectory: null,
    trustedProxies: [],
    proxyHeader: 'x-forwarded-for' as const,
    countryHeader: null,
  };
  const log = createLog(
    (line) => lines.push(JSON.parse(line)),
    () => NOON,
  );
  clicks = await startClickCounting({ config, store, clock: () => NOON, random: systemRandom, log });
  return clicks;
}

const countedIn = async ({ clicks }: Store) =>
  (await clicks.days(1, 0, 1e6)).reduce((sum, { counts }) => sum + sumDay(readDay(counts)).clicks, 0);
const counted = () => countedIn(store);

describe('journals of dead processes', () => {
  it('are counted even if a segment is unreadable, which is moved aside and logged once', async () => {
    zero(segmentPath(leave('a', 5, 7), 1));
    leave('b', 5);
    const running = await start();
    for (let minutes = 0; minutes < 3; minutes += 1) await running.runMaintenance();
    expect(await counted()).toBe(12);
    expect(lines).toMatchObject([
      { level: 'warn', file: segmentPath(join(directory, 'unreadable', `${identity}-a`), 1) },
    ]);
    expect(lines[0]?.message).toContain('delete it after a power failure');
    expect(existsSync(String(lines[0]?.file))).toBe(true);
    const others = readdirSync(directory).filter((name) => /-[abc]$/.test(name));
    expect(others).toEqual([]);
  });

  it('are counted even if a file has the name of a journal, which is logged once', async () => {
    mkdirSync(directory);
    writeFileSync(journalFolder(directory, identity, 'a'), 'no folder');
    leave('b', 5);
    const running = await start();
    for (let minutes = 0; minutes < 3; minutes += 1) await running.runMaintenance();
    expect(await counted()).toBe(5);
    expect(lines).toMatchObject([{ level: 'error', journal: 'a' }]);
  });

  it('are counted once by two processes that find them at the same time, without log lines', async () => {
    for (let index = 0; index < 60; index += 1) leave(`dead${index}`, 1);
    const both = await Promise.all([start(), start()]);
    await Promise.all(both.map((one) => one.settle()));
    for (const one of both) await one.stop();
    clicks = null;
    expect(await counted()).toBe(60);
    expect(lines).toEqual([]);
  });
});

describe('journals that version 0.1.0 wrote next to a symbolic link to the database', () => {
  let left: string;
  beforeEach(() => {
    symlinkSync('terse.db', join(folder, 'link.db'));
    left = join(folder, 'link.db-clicks');
  });

  /** Backs up the database through the symbolic link. Returns the number of clicks in the backup. */
  async function clicksBackedUp(): Promise<number> {
    const path = join(folder, 'backup.db');
    await backUp({ database: { engine: 'sqlite', path: join(folder, 'link.db') }, journalDirectory: null }, path, NOON);
    const copy = await openStore({ engine: 'sqlite', path }, NOON);
    const found = await countedIn(copy);
    await copy.close();
    return found;
  }

  it('are moved next to the database and counted, except those of another database', async () => {
    leaveAt(journalFolder(left, identity, 'a'), [5, 7]);
    leave('b', 2);
    await (await start('link.db')).settle();
    expect(await counted()).toBe(14);
    expect(existsSync(left)).toBe(false);
    await clicks?.stop();

    const foreign = leaveAt(journalFolder(left, 'another', 'a'), [3]);
    const before = readdirSync(foreign);
    await start('link.db');
    expect(readdirSync(foreign)).toEqual(before);
    expect(lines).toEqual([]);
  });

  it('are counted if their folder is a symbolic link to the folder next to the database', async () => {
    leave('a', 5);
    symlinkSync('terse.db-clicks', left);
    await (await start('link.db')).settle();
    expect(await counted()).toBe(5);
    expect(existsSync(left)).toBe(true);
  });

  it('stay unchanged and prevent the start if they cannot be moved', async () => {
    const from = leaveAt(journalFolder(left, identity, 'a'), [5]);
    const to = leave('a', 7);
    const size = (journal: string) => readFileSync(segmentPath(journal, 1)).length;
    const before = [from, to].map(size);
    await expect(start('link.db')).rejects.toThrow(
      new RegExp(
        `^Clicks that an earlier version recorded in ${left} cannot be moved: .+ Move the content of that folder to ${directory}, `,
      ),
    );
    expect([from, to].map(size)).toEqual(before);
  });

  it('are moved together with their unreadable files, except those of another database', async () => {
    const unreadable = (database: string) => join('unreadable', `${database}-a`, '00000001.clicks');
    for (const database of [identity, 'another']) {
      mkdirSync(join(left, 'unreadable', `${database}-a`), { recursive: true });
      writeFileSync(join(left, unreadable(database)), `of ${database}`);
    }
    await start('link.db');
    expect(readFileSync(join(directory, unreadable(identity)), 'utf8')).toBe(`of ${identity}`);
    expect(readdirSync(join(left, 'unreadable'))).toEqual(['another-a']);
    await clicks?.stop();

    rmSync(join(left, 'unreadable', 'another-a'), { recursive: true });
    await start('link.db');
    expect(existsSync(left)).toBe(false);
  });

  it('are included once in a backup through the link before they are moved', async () => {
    leaveAt(journalFolder(left, identity, 'a'), [5, 7]);
    leave('b', 2);
    expect(await clicksBackedUp()).toBe(14);
    expect(readdirSync(left)).toEqual([`${identity}-a`]);
    expect(readdirSync(directory)).toEqual([`${identity}-b`]);
  });

  it('are included once in a backup through the link if their folder is a symbolic link', async () => {
    leave('a', 5, 7);
    symlinkSync('terse.db-clicks', left);
    expect(await clicksBackedUp()).toBe(12);
    expect(readdirSync(directory)).toEqual([`${identity}-a`]);
  });

  it('prevent the start while another process still writes them', async () => {
    const from = leaveAt(journalFolder(left, identity, 'a'), [5]);
    const unlock = lockFile(lockPath(from));
    await expect(start('link.db')).rejects.toThrow(`is still writing clicks to ${from}`);
    unlock?.();
    await (await start('link.db')).settle();
    expect(await counted()).toBe(5);
  });
});
