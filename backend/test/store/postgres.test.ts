import { Client } from 'pg';
import sql from 'sql-template-tag';
import { expect, it, vi } from 'vitest';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import { purgeDeletedAccounts } from '../../src/maintenance/maintenance.ts';
import { openStore } from '../../src/store/open-store.ts';
import { connect, lockOf } from '../../src/store/postgres/connection-pool.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { addClicks, click, countsOf } from '../support/clicks.ts';
import { postgres } from '../support/postgres.ts';
import { PATIENT } from '../support/program-changes.ts';
import { link, makeKey, NOON, submission } from '../support/store.ts';
import { storeSuite } from './suite.ts';

storeSuite(postgres);

it('a server counts clicks while a server in another schema of the database counts its own', async () => {
  const [own, other] = [await postgres.createMigrated(), await postgres.createMigrated()];
  const [ownStore, otherStore] = [await own.open(), await other.open()];
  for (const store of [ownStore, otherStore]) await addClicks(store, [click(1)]);
  const counting = connect({ url: other.address, connections: 1 });
  const waiting = await counting.transaction(async (run) => {
    await counting.lock(run, 'counting');
    const counted = otherStore.clicks.count();
    expect(await ownStore.clicks.count()).toMatchObject({ clicks: 1 });
    expect(await otherStore.clicks.waiting()).toBe(1);
    return { counted };
  });
  expect(await waiting.counted).toMatchObject({ clicks: 1 });
  for (const open of [counting, ownStore, otherStore]) await open.close();
  for (const database of [own, other]) await database.drop();
});

it('visitors of past days are deleted even if another process is just counting them', async () => {
  const database = await postgres.createMigrated();
  const store = await database.open();
  const today = dayOf(NOON);
  await store.clicks.salt(today - 1, new Uint8Array(16));
  const counting = connect({ url: database.address, connections: 2 });
  const forgotten = await counting.transaction(async (run) => {
    await counting.lock(run, 'counting');
    await run(sql`INSERT INTO visitors (day, link_id, hash) VALUES (${today - 1}, 1, 1)`);
    const forgetting = store.clicks.forgetVisitors(today);
    await vi.waitUntil(async () => (await counting.read(ADVISORY_WAITS)).length > 0);
    return { forgetting };
  });
  await forgotten.forgetting;
  expect(await counting.read(sql`SELECT * FROM visitors`)).toEqual([]);
  for (const open of [counting, store]) await open.close();
  await database.drop();
});

it('visitors of waiting clicks are deleted in short transactions, however many clicks wait', async () => {
  const database = await postgres.createMigrated();
  const store = await database.open();
  const today = dayOf(NOON);
  const other = connect({ url: database.address, connections: 1 });
  await other.write(sql`INSERT INTO waiting_clicks (day, size, clicks, visitors)
    SELECT ${today - 1}, 1, '[]', '[1]' FROM generate_series(1, 2500)`);
  await other.write(sql`CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM changed) > 1000 THEN RAISE 'too many rows'; END IF; RETURN NULL; END $$`);
  await other.write(sql`CREATE TRIGGER refuse_many AFTER UPDATE ON waiting_clicks
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`);
  await store.clicks.forgetVisitors(today);
  expect(await other.read(sql`SELECT id FROM waiting_clicks WHERE visitors IS NOT NULL`)).toEqual([]);
  expect(await store.clicks.waiting()).toBe(2500);
  for (const open of [other, store]) await open.close();
  await database.drop();
});

it('clicks are counted even if they are stored during a count, before others with a higher id', async () => {
  const database = await postgres.createMigrated();
  const store = await database.open();
  const id = (await store.links.create(FIRST_ACCOUNT, link(['one']), NOON))?.id as number;
  const other = () => connect({ url: database.address, connections: 1 });
  const [slow, holding, watching] = [other(), other(), other()];
  const counting = await holding.transaction(async (hold) => {
    await hold(sql`SELECT 1 FROM click_totals WHERE link_id = ${id} FOR UPDATE`);
    return slow.transaction(async (run) => {
      const { visitor, ...stored } = click(id);
      await run(sql`INSERT INTO waiting_clicks (day, size, clicks, visitors)
        VALUES (${dayOf(NOON)}, 1, ${JSON.stringify([stored])}, ${JSON.stringify([visitor])})`);
      await addClicks(store, [click(id)]);
      const counted = store.clicks.count();
      await vi.waitUntil(async () => (await watching.read(ROW_WAITS)).length > 0);
      return { counted };
    });
  });
  await counting.counted;
  await store.clicks.count();
  expect(await store.links.find(FIRST_ACCOUNT, 'one')).toMatchObject({ clicks: 2 });
  for (const open of [slow, holding, watching, store]) await open.close();
  await database.drop();
});

const ROW_WAITS = sql`SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'transactionid'`;

it('clicks are counted once, even if a count fails at its last statement', async () => {
  const database = await postgres.createMigrated();
  const store = await database.open();
  const id = (await store.links.create(FIRST_ACCOUNT, link(['one']), NOON))?.id as number;
  const other = connect({ url: database.address, connections: 1 });
  await other.write(sql`ALTER TABLE account_hours ADD CONSTRAINT refused CHECK (clicks < 0)`);
  await addClicks(store, [click(id), click(id)]);
  await expect(store.clicks.count()).rejects.toThrow();
  await other.write(sql`ALTER TABLE account_hours DROP CONSTRAINT refused`);
  expect(await store.clicks.count()).toEqual({ clicks: 2, dropped: 0 });
  expect(await countsOf(store, id)).toMatchObject({ clicks: 2 });
  expect(await store.links.find(FIRST_ACCOUNT, 'one')).toMatchObject({ clicks: 2 });
  for (const open of [other, store]) await open.close();
  await database.drop();
});

const ADVISORY_WAITS = sql`SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;

it('an account is deleted while a link of one of its last requests is still being created', async () => {
  const database = await postgres.createMigrated();
  const store = await database.open();
  const { id } = await store.accounts.create('other', NOON);
  const key = await makeKey(store, { accountId: id });
  await store.accounts.remove({ accountId: id, verified: null, now: NOON });
  const order = submission(key, { links: [link(['late'])] });
  const client = new Client({ connectionString: database.address });
  await client.connect();
  let clearing: Promise<void> | null = null;
  await store.createRequests.submit({
    ...order,
    async respond(transaction) {
      const response = await order.respond(transaction);
      clearing ??= purgeDeletedAccounts(store, NOON);
      const waiting = `SELECT pid FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM accounts%' AND datname = current_database()`;
      await vi.waitUntil(async () => (await client.query(waiting)).rows.length > 0, 1000);
      return response;
    },
  });
  await clearing;
  expect(await store.links.resolve('late')).toMatchObject({ url: '', deletedAt: NOON });
  expect(await store.keys.list(id)).toEqual([]);
  await client.end();
  await store.close();
  await database.drop();
});

it('deleting links waits for the counting of clicks before it locks any row, so that no deadlock occurs', async () => {
  const database = await postgres.createMigrated();
  const url = `${database.address}&application_name=deleting`;
  const store = await openStore({ engine: 'postgres', url, connections: 1, timeout: PATIENT }, NOON);
  for (const code of ['one', 'two']) await store.links.create(FIRST_ACCOUNT, link([code]), NOON);
  const client = new Client({ connectionString: database.address });
  await client.connect();
  const add = (code: string) =>
    client.query(
      `UPDATE click_totals SET clicks = clicks + 1 WHERE link_id = (SELECT id FROM links WHERE code = '${code}')`,
    );
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockOf('counting').sql})`);
  await add('two');
  const removed = store.links.remove(FIRST_ACCOUNT, ['one', 'two'], NOON);
  const waitsFor = "SELECT wait_event FROM pg_stat_activity WHERE application_name = 'deleting'";
  await expect.poll(async () => (await client.query(waitsFor)).rows).toEqual([{ wait_event: 'advisory' }]);
  await add('one');
  await client.query('COMMIT');
  expect(await removed).toEqual(['one', 'two']);
  expect(await store.links.find(FIRST_ACCOUNT, 'one')).toMatchObject({ clicks: 1 });
  await store.close();
  await client.end();
  await database.drop();
});
