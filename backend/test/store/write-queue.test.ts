import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWriteQueue, type WriteQueue } from '../../src/store/sqlite/sqlite-database.ts';
import { StoreFull, StoreUnavailable } from '../../src/store/store-errors.ts';
import { folderForEach } from '../support/test-folder.ts';

const folder = folderForEach();
let other: DatabaseSync;
let connection: DatabaseSync;
let queue: WriteQueue;
beforeEach(() => {
  other = connect();
  other.exec(`PRAGMA journal_mode = WAL; CREATE TABLE parents (name TEXT PRIMARY KEY);
    CREATE TABLE rows (name TEXT UNIQUE, parent TEXT REFERENCES parents (name) DEFERRABLE INITIALLY DEFERRED)`);
  connection = connect();
  queue = createWriteQueue(connection);
});
afterEach(() => {
  connection.close();
  other.close();
});

const connect = () => new DatabaseSync(folder.file('terse.db'), { timeout: 1 });
const names = () =>
  other
    .prepare('SELECT name FROM rows ORDER BY name')
    .all()
    .map(({ name }) => name);
const insert = (name: string, parent: string | null = null) =>
  connection.prepare('INSERT INTO rows VALUES (?, ?)').run(name, parent).changes;
const add = (name: string, parent?: string) => queue.run('FULL', async () => insert(name, parent));

describe('writes that wait', () => {
  it('run in one transaction, in order, and return a separate result each', async () => {
    const seen: unknown[] = [];
    const note = (name: string) =>
      queue.run('FULL', async () => {
        insert(name);
        seen.push([name, connection.isTransaction, names()]);
        return name;
      });
    expect(await Promise.all([note('one'), note('two')])).toEqual(['one', 'two']);
    expect(seen).toEqual([
      ['one', true, []],
      ['two', true, []],
    ]);
    expect(names()).toEqual(['one', 'two']);
  });

  it('report no success before the commit', async () => {
    expect(await add('one').then(() => [connection.isTransaction, names()])).toEqual([false, ['one']]);
  });

  it('do not affect each other if one of them fails', async () => {
    const failing = queue.run('FULL', async () => {
      insert('undone');
      insert('undone');
    });
    const results = await Promise.allSettled([add('one'), failing, add('two')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(names()).toEqual(['one', 'two']);
  });

  it('all fail if the commit fails, and the next group works', async () => {
    // The missing parent causes an error only at COMMIT.
    const results = await Promise.allSettled([add('one'), add('two', 'missing'), add('three')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await add('four');
    expect(names()).toEqual(['four']);
  });

  it('all fail while the disk is full, and work again afterwards', async () => {
    const pages = connection.prepare('PRAGMA page_count').get()?.page_count;
    connection.exec(`PRAGMA max_page_count = ${pages}`);
    const filling = queue.run('FULL', async () => {
      for (let at = 0; at < 5000; at += 1) insert(`row ${at}`);
    });
    const results = await Promise.allSettled([add('one'), filling, add('two')]);
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(StoreFull) });
    connection.exec('PRAGMA max_page_count = 1000000');
    await add('three');
    expect(names()).toEqual(['three']);
  });

  it('all fail if SQLite has rolled back the transaction itself', async () => {
    const results = await Promise.allSettled([
      add('one'),
      queue.run('FULL', async () => connection.exec("INSERT OR ROLLBACK INTO rows VALUES ('one', NULL)")),
      add('two'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(names()).toEqual([]);
  });

  it('continue after a group whose rollback failed', async () => {
    const exec = vi.spyOn(connection, 'exec').mockImplementation((statement) => {
      if (statement !== 'ROLLBACK') return DatabaseSync.prototype.exec.call(connection, statement);
      exec.mockRestore();
      throw new Error('The disk is broken.');
    });
    await expect(add('one', 'missing')).rejects.toThrow(StoreUnavailable);
    await expect(add('two')).rejects.toThrow('within a transaction');
    await add('three');
    expect(names()).toEqual(['three']);
  });

  it('have ended before the queue is settled', async () => {
    const slow = queue.run('FULL', async () => {
      await sleep(20);
      insert('one');
    });
    slow.then(() => add('two'));
    await queue.settled();
    expect(names()).toEqual(['one', 'two']);
  });
});

describe('writes to a file that another process writes to', () => {
  it('wait without blocking the thread, and then run once', async () => {
    other.exec('BEGIN IMMEDIATE');
    const writes = [add('one'), add('two')];
    // The time is enough for a few attempts. The test reaches the next line only if the thread is not blocked.
    await sleep(100);
    writes.push(add('three'));
    expect(names()).toEqual([]);
    other.exec('COMMIT');
    expect(await Promise.all(writes)).toEqual([1, 1, 1]);
    expect(names()).toEqual(['one', 'three', 'two']);
  });

  it('fail after a timeout, and the next group works', async () => {
    queue = createWriteQueue(connection, 50);
    other.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled([add('one'), add('two')]);
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(StoreUnavailable) });
    other.exec('COMMIT');
    await add('three');
    expect(names()).toEqual(['three']);
  });
});
