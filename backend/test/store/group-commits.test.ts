import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreFull, StoreUnavailable } from '../../src/store/interface/store.ts';
import { createWriteLock } from '../../src/store/interface/write-lock-between-threads.ts';
import { createGroupCommits, type GroupCommits } from '../../src/store/sqlite/group-commits.ts';

let connection: DatabaseSync;
let commits: GroupCommits;
beforeEach(() => {
  connection = new DatabaseSync(':memory:');
  connection.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`);
  commits = createGroupCommits(connection, createWriteLock());
});

const count = () => connection.prepare('SELECT count(*) AS n FROM children').get()?.n;
const insert = (parent: number | null) =>
  commits.write(() => connection.prepare('INSERT INTO children VALUES (?)').run(parent).changes);

describe('grouped commits', () => {
  it('run within a transaction and return a separate result each', async () => {
    const seen: boolean[] = [];
    const write = () => commits.write(() => seen.push(connection.isTransaction));
    expect(await Promise.all([write(), write()])).toEqual([1, 2]);
    expect(seen).toEqual([true, true]);
    expect(connection.isTransaction).toBe(false);
  });

  it('report no success before the commit', async () => {
    let inTransaction: boolean | null = null;
    await insert(null).then(() => {
      inTransaction = connection.isTransaction;
    });
    expect(inTransaction).toBe(false);
  });

  it('all fail if the commit fails, and the next group works', async () => {
    // The missing parent causes an error only at COMMIT.
    const results = await Promise.allSettled([insert(null), insert(7), insert(null)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(count()).toBe(0);
    await insert(null);
    expect(count()).toBe(1);
  });
});

describe('a group of writes', () => {
  let flushes: number;
  const lock = createWriteLock();
  beforeEach(() => {
    flushes = 0;
    const take = (write: () => void) => {
      flushes += 1;
      lock.take(write);
    };
    commits = createGroupCommits(connection, { take });
  });

  it('is committed with the writes of the next ticks, as long as each tick adds some', async () => {
    const writes = [insert(null), insert(null)];
    for (let at = 0; at < 3; at += 1) {
      await tick();
      writes.push(insert(null));
    }
    await Promise.all(writes);
    expect([flushes, count()]).toEqual([1, 5]);
  });

  it('does not wait if there is only one write', async () => {
    const alone = insert(null);
    await tick();
    expect(flushes).toBe(1);
    await alone;
  });

  it('has a maximum size', async () => {
    const writes = [insert(null), insert(null)];
    for (let at = 0; at < 30; at += 1) {
      await tick();
      writes.push(insert(null));
    }
    expect(flushes).toBeGreaterThan(1);
    await Promise.all(writes);
    expect(count()).toBe(32);
  });
});

describe('grouped commits to a file that another process writes to', () => {
  let folder: string;
  let other: DatabaseSync;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'terse-commits-'));
    const path = join(folder, 'terse.db');
    other = new DatabaseSync(path);
    other.exec('PRAGMA journal_mode = WAL; CREATE TABLE children (parent INTEGER)');
    connection = new DatabaseSync(path, { timeout: 1 });
  });
  afterEach(() => {
    connection.close();
    other.close();
    rmSync(folder, { recursive: true });
  });

  it('wait without blocking the thread, and then run once', async () => {
    commits = createGroupCommits(connection, createWriteLock());
    other.exec('BEGIN IMMEDIATE');
    let settled = 0;
    const writes = [insert(1), insert(2)].map((write) => write.then(() => (settled += 1)));
    // The time is enough for a few attempts. The test reaches this line only if the thread is not blocked.
    await sleep(100);
    const late = insert(3);
    let closable = false;
    const closed = commits.settled().then(() => (closable = true));
    await sleep(50);
    expect([settled, closable, count()]).toEqual([0, false, 0]);
    other.exec('COMMIT');
    await Promise.all([...writes, late, closed]);
    expect(count()).toBe(3);
  });

  it('fail after a timeout, and the next group works', async () => {
    commits = createGroupCommits(connection, createWriteLock(), 50);
    other.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled([insert(1), insert(2)]);
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(StoreUnavailable) });
    other.exec('COMMIT');
    await insert(3);
    expect(count()).toBe(1);
  });

  it('all fail while the disk is full, and work again afterwards', async () => {
    commits = createGroupCommits(connection, createWriteLock());
    const pages = connection.prepare('PRAGMA page_count').get()?.page_count;
    connection.exec(`PRAGMA max_page_count = ${pages}`);
    const fill = commits.write(() =>
      connection.exec(
        'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO children SELECT i FROM n',
      ),
    );
    const results = await Promise.allSettled([insert(1), fill, insert(2)]);
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(StoreFull) });
    connection.exec('PRAGMA max_page_count = 1000000');
    expect(count()).toBe(0);
    await insert(3);
    expect(count()).toBe(1);
  });
});
