import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinDatabase, openDatabase, type WholeDatabase } from '../../src/store/sqlite/database.ts';
import { createMapping, MAPPED, READ_MAPPED } from '../../src/store/sqlite/mapping.ts';
import { linkResolver } from '../../src/store/sqlite/resolve.ts';
import { createWriteLock, type LendableWriteLock } from '../../src/store/write-lock.ts';
import { NOON } from '../support/store.ts';

let folder: string;
let writeLock: LendableWriteLock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terse-mapping-'));
  writeLock = createWriteLock();
});
afterEach(() => rm(folder, { recursive: true }));

const lendOnce = () => writeLock.lend((release) => release());

describe('the mapping of a file that links are looked up in', () => {
  let connection: DatabaseSync;
  beforeEach(() => {
    connection = new DatabaseSync(join(folder, 'some.db'));
    connection.exec(`PRAGMA journal_mode = WAL; ${READ_MAPPED}`);
  });
  afterEach(() => connection.close());

  const mapped = () => connection.prepare('PRAGMA mmap_size').get()?.mmap_size;
  const choose = () => createMapping({ exec: (sql) => connection.exec(sql), writeLock, enough: 100 });

  it('stays while no other connection writes', () => {
    const chooseMapping = choose();
    writeLock.take(() => connection.exec('CREATE TABLE own (a)'));
    chooseMapping(20);
    expect(mapped()).toBe(MAPPED);
  });

  it('ends with the first look-up after another connection may have written', () => {
    const chooseMapping = choose();
    lendOnce();
    chooseMapping(1);
    expect(mapped()).toBe(0);
  });

  it('is made again after enough look-ups since the last such write', () => {
    const chooseMapping = choose();
    lendOnce();
    chooseMapping(1);
    chooseMapping(99);
    expect(mapped()).toBe(0);
    lendOnce();
    chooseMapping(99);
    chooseMapping(99);
    expect(mapped()).toBe(0);
    chooseMapping(1);
    expect(mapped()).toBe(MAPPED);
  });
});

describe('links that are looked up while another connection writes', () => {
  let database: WholeDatabase;
  beforeEach(() => {
    database = openDatabase(join(folder, 'terse.db'), NOON, writeLock);
  });
  afterEach(() => database.close());

  it('are found as they are, by copied pages', async () => {
    const resolve = linkResolver(database);
    const other = joinDatabase(join(folder, 'terse.db'), {
      take: (write) =>
        writeLock.lend((release) => {
          write();
          release();
        }),
    });
    const create = other.prepare(
      `INSERT INTO links (id, code, url, account_id, created_at) VALUES (1, 'there', 'https://example.com/', 1, 0)`,
    );
    const remove = other.prepare('UPDATE links SET deleted_at = 7 WHERE id = 1');
    expect(await resolve(['there', 'nowhere'])).toEqual([null, null]);
    await other.write(() => create.run());
    const found = { id: 1, url: 'https://example.com/', expiresAt: null, deletedAt: null };
    expect(await resolve(['there', 'nowhere'])).toEqual([found, null]);
    await other.write(() => remove.run());
    expect(await resolve(['nowhere', 'there'])).toEqual([null, { ...found, deletedAt: 7 }]);
    expect(database.prepare('PRAGMA mmap_size').get()).toEqual({ mmap_size: 0 });
    await other.close();
  });
});
