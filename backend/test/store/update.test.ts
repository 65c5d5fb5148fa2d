import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/create-file-atomically.ts';
import { FIRST_ACCOUNT, type Store } from '../../src/store/interface/store.ts';
import { MIGRATIONS } from '../../src/store/migrations/all-migrations.ts';
import { createIndex } from '../../src/store/migrations/schema-dialect.ts';
import { POSTGRES } from '../../src/store/postgres/migrate.ts';
import { SQLITE } from '../../src/store/sqlite/migrate.ts';
import { postgres } from '../support/postgres.ts';
import { sqlite } from '../support/sqlite.ts';
import { link, NOON, submission, type TestDatabase, targetOf } from '../support/store.ts';

/** Number of the last migration in version 0.1.0. */
const RELEASED = 7;

describe.each([
  { engine: sqlite, dialect: SQLITE },
  { engine: postgres, dialect: POSTGRES },
])('a database of version 0.1.0 on $engine.name', ({ engine, dialect }) => {
  let database: TestDatabase;
  let store: Store;

  beforeEach(async () => {
    database = await engine.create();
    if (engine === sqlite) makeFolder(dirname(database.address.replace('file:', '')));
    const noted = MIGRATIONS.filter(({ id }) => id <= RELEASED);
    await database.execute(`CREATE TABLE migrations
      (id ${dialect.integer} PRIMARY KEY, name TEXT NOT NULL, applied_at ${dialect.integer} NOT NULL)`);
    for (const { id, name, statements } of noted) {
      for (const statement of statements(dialect, NOON)) await database.execute(statement);
      await database.execute(`INSERT INTO migrations (id, name, applied_at) VALUES (${id}, '${name}', 0)`);
    }
    await fill();
    store = await database.open();
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  /** Creates a key, links with clicks, a deleted link, and a stopped import. */
  async function fill(): Promise<void> {
    const bytes = (byte: string) => (engine === sqlite ? `x'${byte.repeat(32)}'` : `'\\x${byte.repeat(32)}'`);
    await database.execute(`INSERT INTO api_keys (account_id, name, hash, last_four, created_at)
      VALUES (1, 'old', ${bytes('07')}, 'abcd', ${NOON})`);
    const links = ['kept', 'deleted', 'never'].map((code) => {
      const deletedAt = code === 'deleted' ? NOON : 'NULL';
      return `('${code}', 'https://example.com/${code}', 1, 1, ${NOON}, ${deletedAt}, ${code === 'never' ? 0 : 1})`;
    });
    await database.execute(
      `INSERT INTO links (code, url, account_id, key_id, created_at, deleted_at, clicked) VALUES ${links.join(', ')}`,
    );
    await database.execute("INSERT INTO click_days (link_id, day, counts) VALUES (1, 20000, '2')");
    await database.execute('INSERT INTO click_totals (link_id, account_id, clicks) VALUES (1, 1, 3), (2, 1, 5)');
    await database.execute(`INSERT INTO imports
        (account_id, name, total, made, unchanged, refused, started_at, updated_at, fingerprint)
      VALUES (1, 'links.csv', 3, 1, 0, 0, 0, 0, ${bytes('09')})`);
  }

  it('has keys with all permissions, and every link', async () => {
    const key = await store.keys.find(new Uint8Array(32).fill(7));
    expect(key).toMatchObject({ name: 'old', scopes: ['create', 'read', 'manage'], ownLinksOnly: false });
    expect(await store.links.find(FIRST_ACCOUNT, 'kept')).toMatchObject({ url: 'https://example.com/kept', clicks: 3 });
    if (!key) return;
    expect((await store.createRequests.submit(submission(key, { links: [link(['kept', 'new'])] }))).kind).toBe(
      'answered',
    );
    expect(await targetOf(store, 'new')).not.toBeNull();
  });

  it('stores the first hour from which on the totals of accounts are complete', async () => {
    const now = Math.floor(Date.now() / 3_600_000);
    const since = await store.clicks.accountHoursSince();
    expect([now, now + 1]).toContain(since);
  });

  it('lists all links except deleted ones, in every order', async () => {
    const codes = async (order: 'newest' | 'oldest' | 'clicks') =>
      (await store.links.list(FIRST_ACCOUNT, null, 9, order)).map(({ code }) => code);
    expect(await codes('newest')).toEqual(['never', 'kept']);
    expect(await codes('oldest')).toEqual(['kept', 'never']);
    expect(await codes('clicks')).toEqual(['kept', 'never']);
  });

  it('keeps earlier deletions permanent', async () => {
    expect(await store.links.restore(FIRST_ACCOUNT, 'deleted', { deletedAt: NOON, now: NOON })).toBe(false);
    expect(await targetOf(store, 'deleted')).toMatchObject({ deletedAt: NOON });
    expect(await store.links.create(FIRST_ACCOUNT, link(['deleted']), NOON)).toBeNull();
  });

  it('continues a stopped import', async () => {
    const file = { name: 'links.csv', total: 3, fingerprint: new Uint8Array(32).fill(9) };
    const run = { accountId: FIRST_ACCOUNT, runner: 'me', again: false, now: NOON };
    expect(await store.imports.begin({ ...file, ...run })).toMatchObject({ id: 1, made: 1, runner: 'me' });
  });
});

/** Number of the last migration in version 0.2.0. */
const RELEASED_0_2 = 17;

describe.each([
  { engine: sqlite, dialect: SQLITE },
  { engine: postgres, dialect: POSTGRES },
])('a database of version 0.2.0 on $engine.name', ({ engine, dialect }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await engine.create();
    if (engine === sqlite) makeFolder(dirname(database.address.replace('file:', '')));
    await database.execute(`CREATE TABLE migrations
      (id ${dialect.integer} PRIMARY KEY, name TEXT NOT NULL, applied_at ${dialect.integer} NOT NULL)`);
    for (const { id, name, indexes, prepare, statements, oldest } of MIGRATIONS) {
      if (id > RELEASED_0_2) break;
      const before = (indexes?.(dialect) ?? []).map((index) => createIndex(index, 'IF NOT EXISTS'));
      const all = [...before, ...(prepare?.(dialect, NOON) ?? []), ...statements(dialect, NOON)];
      for (const statement of all) await database.execute(statement);
      await database.execute(`INSERT INTO migrations (id, name, applied_at) VALUES (${id}, '${name}', 0)`);
      if (oldest) await database.execute(`INSERT INTO migration_ranges (id, oldest) VALUES (${id}, ${oldest})`);
    }
  });
  afterEach(() => database.drop());

  /** Creates a link with the statement of version 0.2.0. */
  async function createAsBefore(id: number, code: string): Promise<void> {
    await database.execute(`INSERT INTO links (id, code, url, account_id, key_id, own_key_id, title, created_at, expires_at)
      VALUES (${id}, '${code}', 'https://example.com/?a=1#b', 1, NULL, NULL, 'Old', ${NOON - id}, NULL)`);
    await database.execute(`INSERT INTO click_totals (link_id, account_id, clicks) VALUES (${id}, 1, 5)`);
  }

  it('has every link, code and count as before, and version 0.2.0 can still write to it', async () => {
    await createAsBefore(1, 'one');
    await database.execute(`INSERT INTO serving_processes (id, name, newest_step, seen_at)
      VALUES ('old', 'old', ${RELEASED_0_2}, ${Date.now()})`);
    const store = await database.open();
    await createAsBefore(2, 'two');
    const added = { forwardQuery: null, importedClicks: 0, tags: [] };
    for (const code of ['one', 'two']) {
      expect(await store.links.find(FIRST_ACCOUNT, code)).toMatchObject({ code, title: 'Old', clicks: 5, ...added });
      expect(await targetOf(store, code)).toMatchObject({ url: 'https://example.com/?a=1#b', forwardQuery: null });
    }
    await store.links.edit(FIRST_ACCOUNT, 'two', { tags: ['new'], forwardQuery: true });
    // Version 0.2.0 deletes a link.
    await database.execute(`UPDATE links SET deleted_at = ${NOON} WHERE code = 'two'`);
    expect(await store.links.listTagged(FIRST_ACCOUNT, 'new', null, 9, 'newest')).toEqual([]);
    expect((await store.links.list(FIRST_ACCOUNT, null, 9)).map(({ code }) => code)).toEqual(['one']);
    await store.close();
  });
});
