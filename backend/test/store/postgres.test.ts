import sql from 'sql-template-tag';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayOf, writeBatch } from '../../src/domain/analytics/day-counts.ts';
import { purgeDeletedAccounts } from '../../src/maintenance/maintenance.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { connect } from '../../src/store/postgres/connection-pool.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { addClicks, click, countsOf } from '../support/clicks.ts';
import { postgres } from '../support/postgres.ts';
import { PATIENT } from '../support/program-changes.ts';
import { link, makeKey, NOON, submission, type TestDatabase } from '../support/store.ts';
import { storeSuite } from './suite.ts';

const ROW_WAITS = sql`SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'transactionid'`;

const DELETION_WAITS = sql`SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM accounts%'`;

const ADVISORY_WAITS = sql`SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;

storeSuite(postgres);

describe('two connections to PostgreSQL', () => {
  let database: TestDatabase;
  let store: Store;
  let opened: { close(): Promise<unknown> }[];
  beforeEach(async () => {
    database = await postgres.createMigrated();
    store = await database.open();
    opened = [store];
  });
  afterEach(async () => {
    for (const connection of opened) await connection.close();
    await database.drop();
  });

  /** Opens connections that are closed after the test. */
  function connectTo(url = database.address) {
    const connection = connect({ url, connections: 2 });
    opened.push(connection);
    return connection;
  }

  it('a server counts clicks while a server in another schema of the database counts its own', async () => {
    await database.execute('CREATE SCHEMA other');
    const url = `${database.address}&options=${encodeURIComponent('-c search_path=other')}`;
    const otherStore = await openStore({ engine: 'postgres', url, connections: 2, timeout: PATIENT }, NOON);
    for (const one of [store, otherStore]) await addClicks(one, [click(1)]);
    const counting = connectTo(url);
    const waiting = await counting.transaction(async (run) => {
      await counting.lock(run, 'counting');
      const counted = otherStore.clicks.count();
      expect(await store.clicks.count()).toMatchObject({ clicks: 1 });
      expect(await otherStore.clicks.waiting()).toBe(1);
      return { counted };
    });
    expect(await waiting.counted).toMatchObject({ clicks: 1 });
    await otherStore.close();
  });

  it('visitors of past days are deleted even if another process is just counting them', async () => {
    const today = dayOf(NOON);
    await store.clicks.salt(today - 1, new Uint8Array(16));
    const counting = connectTo();
    const forgotten = await counting.transaction(async (run) => {
      await counting.lock(run, 'counting');
      await run(sql`INSERT INTO visitors (day, link_id, hash) VALUES (${today - 1}, 1, 1)`);
      const forgetting = store.clicks.forgetVisitors(today);
      await vi.waitUntil(async () => (await counting.read(ADVISORY_WAITS)).length > 0);
      return { forgetting };
    });
    await forgotten.forgetting;
    expect(await counting.read(sql`SELECT * FROM visitors`)).toEqual([]);
  });

  it('visitors of waiting clicks are deleted in short transactions, however many clicks wait', async () => {
    const today = dayOf(NOON);
    const other = connectTo();
    await other.write(sql`INSERT INTO waiting_clicks (day, size, clicks, visitors)
    SELECT ${today - 1}, 1, '[]', '[1]' FROM generate_series(1, 2500)`);
    await other.write(sql`CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM changed) > 1000 THEN RAISE 'too many rows'; END IF; RETURN NULL; END $$`);
    await other.write(sql`CREATE TRIGGER refuse_many AFTER UPDATE ON waiting_clicks
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`);
    await store.clicks.forgetVisitors(today);
    expect(await other.read(sql`SELECT id FROM waiting_clicks WHERE visitors IS NOT NULL`)).toEqual([]);
    expect(await store.clicks.waiting()).toBe(2500);
  });

  it('clicks are counted even if they are stored during a count, between others', async () => {
    const id = (await store.links.create(FIRST_ACCOUNT, link(['one']), NOON))?.id as number;
    await addClicks(store, [click(id)]);
    const [slow, holding, watching] = [connectTo(), connectTo(), connectTo()];
    const counting = await holding.transaction(async (hold) => {
      await hold(sql`SELECT 1 FROM click_totals WHERE link_id = ${id} FOR UPDATE`);
      return slow.transaction(async (run) => {
        const { clicks, visitors } = writeBatch([click(id)]);
        await run(sql`INSERT INTO waiting_clicks (day, size, clicks, visitors)
        VALUES (${dayOf(NOON)}, 1, ${clicks}, ${visitors})`);
        await addClicks(store, [click(id)]);
        const counted = store.clicks.count();
        await vi.waitUntil(async () => (await watching.read(ROW_WAITS)).length > 0);
        return { counted };
      });
    });
    await counting.counted;
    await store.clicks.count();
    expect(await store.links.find(FIRST_ACCOUNT, 'one')).toMatchObject({ clicks: 3 });
  });

  it('clicks are counted once, even if a count fails at its last statement', async () => {
    const id = (await store.links.create(FIRST_ACCOUNT, link(['one']), NOON))?.id as number;
    const other = connectTo();
    await other.write(sql`ALTER TABLE account_hours ADD CONSTRAINT refused CHECK (clicks < 0)`);
    await addClicks(store, [click(id), click(id)]);
    await expect(store.clicks.count()).rejects.toThrow();
    await other.write(sql`ALTER TABLE account_hours DROP CONSTRAINT refused`);
    expect(await store.clicks.count()).toEqual({ clicks: 2, dropped: 0 });
    expect(await countsOf(store, id)).toMatchObject({ clicks: 2 });
    expect(await store.links.find(FIRST_ACCOUNT, 'one')).toMatchObject({ clicks: 2 });
  });

  it('an account is deleted while a link of one of its last requests is still being created', async () => {
    const { id } = await store.accounts.create('other', NOON);
    const key = await makeKey(store, { accountId: id });
    await store.accounts.remove({ accountId: id, verified: null, now: NOON });
    const order = submission(key, { links: [link(['late'])] });
    const watching = connectTo();
    let clearing: Promise<void> | null = null;
    await store.createRequests.submit({
      ...order,
      async respond(transaction) {
        const response = await order.respond(transaction);
        clearing ??= purgeDeletedAccounts(store, NOON);
        await vi.waitUntil(async () => (await watching.read(DELETION_WAITS)).length > 0, 1000);
        return response;
      },
    });
    await clearing;
    expect(await store.links.resolve('late')).toMatchObject({ url: '', deletedAt: NOON });
    expect(await store.keys.list(id)).toEqual([]);
  });

  it('deleting links waits for the counting of clicks before it locks any row, so that no deadlock occurs', async () => {
    for (const code of ['one', 'two']) await store.links.create(FIRST_ACCOUNT, link([code]), NOON);
    const [counting, watching] = [connectTo(), connectTo()];
    const add = (code: string) => sql`UPDATE click_totals SET clicks = clicks + 1
    WHERE link_id = (SELECT id FROM links WHERE code = ${code})`;
    const removed = await counting.transaction(async (run) => {
      await counting.lock(run, 'counting');
      await run(add('two'));
      const removing = store.links.remove(FIRST_ACCOUNT, ['one', 'two'], NOON);
      await vi.waitUntil(async () => (await watching.read(ADVISORY_WAITS)).length > 0);
      await run(add('one'));
      return { removing };
    });
    expect(await removed.removing).toEqual(['one', 'two']);
    expect(await store.links.find(FIRST_ACCOUNT, 'one')).toMatchObject({ clicks: 1 });
  });
});
