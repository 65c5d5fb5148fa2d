import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { StatementSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { StoreError, StoreUnavailable } from '../../src/store/store-errors.ts';
import { sqlite } from '../support/sqlite.ts';
import { link, NOON } from '../support/store.ts';
import { folderForEach } from '../support/test-folder.ts';
import { storeSuite } from './suite.ts';

storeSuite(sqlite);

describe('the SQLite file', () => {
  const folder = folderForEach();

  it('is created with its folder, which only the owner can read', async () => {
    const path = folder.file('a', 'b', 'terse.db');
    const store = await openStore({ engine: 'sqlite', path }, NOON);
    expect(statSync(folder.file('a', 'b')).mode & 0o777).toBe(0o700);
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777, file).toBe(0o600);
    await store.close();
  });

  it('contains no deleted data', async () => {
    const path = folder.file('terse.db');
    const store = await openStore({ engine: 'sqlite', path }, NOON);
    const { id } = await store.accounts.create('Grace', NOON);
    // The text is so long that each URL needs a separate database page.
    const url = `https://example.com/${'secret'.repeat(200)}`;
    for (const code of ['one', 'two', 'three']) await store.links.create(id, link([code], { url }), NOON);
    await store.accounts.remove({ accountId: id, verified: null, now: NOON });
    while (await store.accounts.clear(10, NOON));
    await store.close();
    expect(readFileSync(path).includes('secret')).toBe(false);
    expect(readFileSync(path).includes('three')).toBe(true);
  });

  it('is unavailable, as for writes, if it cannot be read', async () => {
    const store = await openStore({ engine: 'sqlite', path: folder.file('terse.db') }, NOON);
    const broken = vi.spyOn(StatementSync.prototype, 'all').mockImplementation(() => {
      throw Object.assign(new Error('disk I/O error'), { errcode: 266 });
    });
    await expect(store.links.resolve('code')).rejects.toThrow(StoreUnavailable);
    broken.mockRestore();
    expect(await store.links.resolve('code')).toBeNull();
    await store.close();
  });

  it('is named in the error if it is not a database or not a file', async () => {
    const path = folder.file('notes.txt');
    await writeFile(path, 'Dear diary, this is not a database. '.repeat(100));
    await expect(openStore({ engine: 'sqlite', path }, NOON)).rejects.toThrow(StoreError);
    await expect(openStore({ engine: 'sqlite', path }, NOON)).rejects.toThrow(path);
    await expect(openStore({ engine: 'sqlite', path: folder.path }, NOON)).rejects.toThrow(StoreError);
  });
});
