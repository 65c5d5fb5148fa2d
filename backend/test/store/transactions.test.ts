import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreFull, StoreUnavailable } from '../../src/store/interface/store.ts';
import { createWriteLock, type LendableWriteLock } from '../../src/store/interface/write-lock-between-threads.ts';
import { createGroupCommits } from '../../src/store/sqlite/group-commits.ts';
import { createTransactions, type Transactions } from '../../src/store/sqlite/transactions.ts';

let folder: string;
let first: DatabaseSync;
let writeLock: LendableWriteLock;
let transactions: Transactions;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terse-transactions-'));
  first = connect();
  first.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (name TEXT UNIQUE)');
  writeLock = createWriteLock();
  transactions = createTransactions(connect(), writeLock);
});
afterEach(async () => {
  await transactions.close();
  first.close();
  rmSync(folder, { recursive: true });
});

const connect = () => new DatabaseSync(join(folder, 'terse.db'), { timeout: 1 });
const names = () =>
  first
    .prepare('SELECT name FROM rows ORDER BY name')
    .all()
    .map(({ name }) => name);
const add = (name: string) => transactions.prepare('INSERT INTO rows VALUES (?)').run(name);

describe('a transaction of several statements', () => {
  it('becomes visible as a whole, and not before', async () => {
    await transactions.run(async () => {
      add('one');
      await sleep(1);
      expect(names()).toEqual([]);
      add('two');
    });
    expect(names()).toEqual(['one', 'two']);
  });

  it('is rolled back if it throws, and the next one works', async () => {
    const failing = transactions.run(async () => {
      add('one');
      add('one');
    });
    await expect(failing).rejects.toThrow(/UNIQUE/);
    await transactions.run(async () => add('two'));
    expect(names()).toEqual(['two']);
  });

  it('runs alone: other transactions and grouped writes wait', async () => {
    const commits = createGroupCommits(first, writeLock);
    const events: string[] = [];
    await Promise.all([
      transactions.run(async () => {
        add('one');
        await sleep(20);
        events.push('first');
      }),
      commits.write(() => events.push('grouped')),
      transactions.run(async () => {
        events.push('second');
      }),
    ]);
    expect(events[0]).toBe('first');
    expect(events).toHaveLength(3);
  });

  it('waits without blocking the thread while another process writes, and fails after a timeout', async () => {
    const other = connect();
    other.exec('BEGIN IMMEDIATE');
    const waiting = transactions.run(async () => add('late'));
    await sleep(60);
    expect(names()).toEqual([]);
    other.exec('COMMIT');
    await waiting;
    expect(names()).toEqual(['late']);

    other.exec('BEGIN IMMEDIATE');
    const impatient = createTransactions(connect(), writeLock, 30);
    await expect(impatient.run(async () => {})).rejects.toThrow(StoreUnavailable);
    await impatient.close();
    other.close();
  });

  it('fails while the disk is full', async () => {
    const pages = first.prepare('PRAGMA page_count').get()?.page_count;
    transactions.prepare(`PRAGMA max_page_count = ${pages}`).all();
    const filling = transactions.run(async () => {
      for (let at = 0; at < 5000; at += 1) add(`row ${at}`);
    });
    await expect(filling).rejects.toThrow(StoreFull);
    expect(names()).toEqual([]);
  });

  it('completes before the database closes', async () => {
    const running = transactions.run(async () => {
      await sleep(20);
      add('kept');
    });
    await transactions.close();
    expect(names()).toEqual(['kept']);
    await running;
    transactions = createTransactions(connect(), writeLock);
  });
});
