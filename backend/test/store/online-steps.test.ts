import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/store/migrations/all-migrations.ts';
import { migrate as migrateIn, withPool } from '../../src/store/postgres/migrate.ts';
import { postgres } from '../support/postgres.ts';
import { EXPAND } from '../support/program-changes.ts';
import { NOON, type TestDatabase } from '../support/store.ts';

const LATER = [...MIGRATIONS, EXPAND];

let database: TestDatabase;
let clients: Client[];
beforeEach(async () => {
  database = await postgres.create();
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
});

const migrate = (url: string, now: number, migrations?: typeof LATER) =>
  withPool(url, (pool) => migrateIn(pool, now, migrations));

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.address });
  client.on('error', () => {});
  await client.connect();
  clients.push(client);
  return client;
}
const insert = (code: string) =>
  `INSERT INTO links (code, url, account_id, created_at) VALUES ('${code}', 'https://example.com/', 1, 0)`;

/**
 * Waits until an index build in this test's database waits for another transaction. Returns the process id of the
 * build.
 */
async function maker(client: Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE relation = 'links'::regclass AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`,
    );
    if (rows[0]) return rows[0].pid;
    await sleep(5);
  }
}

describe('a migration with an index, on PostgreSQL', () => {
  it('blocks no writers while the index is built, even behind a long transaction', async () => {
    await migrate(database.address, NOON);
    const [slow, quick] = [await connect(), await connect()];
    await slow.query(insert('before'));
    await slow.query(`BEGIN; ${insert('slow')}`);
    const done = migrate(database.address, NOON, LATER);
    await maker(quick);
    // A process of the previous version that starts in the meantime does not wait either.
    await migrate(database.address, NOON);
    await quick.query(`SET lock_timeout = 1000; ${insert('quick')}`);
    await slow.query('COMMIT');
    await done;
    const { rows } = await quick.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'links_by_url'::regclass");
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it('rebuilds an incomplete index', async () => {
    await migrate(database.address, NOON);
    const [slow, operator] = [await connect(), await connect()];
    await slow.query(insert('before'));
    await slow.query(`BEGIN; ${insert('slow')}`);
    const cut = migrate(database.address, NOON, LATER);
    cut.catch(() => {});
    await operator.query('SELECT pg_terminate_backend($1)', [await maker(operator)]);
    await expect(cut).rejects.toThrow();
    await slow.query('COMMIT');
    const state = async () =>
      (await operator.query("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('links_by_url')")).rows;
    expect(await state()).toEqual([{ indisvalid: false }]);
    await migrate(database.address, NOON, LATER);
    expect(await state()).toEqual([{ indisvalid: true }]);
  });
});
