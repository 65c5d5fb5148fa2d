import { Client, type Pool } from 'pg';
import { raw } from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { connect, createPool, inTransaction, requestTimeouts } from '../../src/store/postgres/connection-pool.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { type StoreError, StoreFull, StoreTimeout, StoreUnavailable } from '../../src/store/store-errors.ts';
import { click, countsOf } from '../support/clicks.ts';
import { awayFromMidnight } from '../support/clock.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { PATIENT } from '../support/program-changes.ts';
import { codesOf, link, makeKey, NOON, quotaLeft, submission, targetOf } from '../support/store.ts';

// These tests disturb the server, so they cannot share one with other tests.
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres(() => {});
});
afterAll(() => server.stop());

let store: Store;
let operator: Client;
beforeEach(async () => {
  operator = await connected();
  await operator.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  store = await open();
});
afterEach(async () => {
  await store.close();
  await operator.end();
});

const open = (connections = 4) =>
  openStore({ engine: 'postgres', url: server.url('postgres'), connections, timeout: PATIENT }, NOON);

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: server.url('postgres') });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const others = "FROM pg_stat_activity WHERE application_name = 'terse'";

async function connections(): Promise<number> {
  return (await operator.query(`SELECT count(*)::int AS connections ${others}`)).rows[0].connections;
}

async function waitingForLock(): Promise<void> {
  for (;;) {
    const { rows } = await operator.query(`SELECT 1 ${others} AND wait_event_type = 'Lock'`);
    if (rows.length > 0) return;
  }
}

describe('a store whose connections break', () => {
  it('opens new connections, and its callers get no errors', async () => {
    await Promise.all(Array.from({ length: 10 }, () => store.keys.list()));
    await operator.query(`SELECT pg_terminate_backend(pid) ${others}`);
    expect(await store.keys.list()).toEqual([]);
  });

  it('stores clicks once, also if their batch is sent again because the response was lost', async () => {
    const { id } = (await store.links.create(FIRST_ACCOUNT, link(['clicked']), NOON)) ?? { id: 0 };
    const batch = { process: 'one', number: 1, clicks: [click(id), click(id)] };
    await operator.query('BEGIN; LOCK TABLE waiting_clicks IN EXCLUSIVE MODE');
    const torn = expect(store.clicks.add(batch)).rejects.toThrow(StoreUnavailable);
    await waitingForLock();
    await operator.query(`SELECT pg_terminate_backend(pid) ${others}`);
    await operator.query('ROLLBACK');
    await torn;
    await expect.poll(connections).toBe(0);
    await Promise.all([store.clicks.add(batch), store.clicks.add(batch)]);
    await store.clicks.add(batch);
    await store.clicks.add({ ...batch, number: 2 });
    await store.clicks.count();
    expect(await countsOf(store, id)).toMatchObject({ clicks: 4 });
  });

  it('reports that a pending request was not executed, and executes it when it is repeated', async () => {
    await awayFromMidnight();
    const key = await makeKey(store);
    const idempotency = { key: 'once', endpoint: '/', fingerprint: new Uint8Array(32) };
    await store.createRequests.submit(submission(key));
    await operator.query('BEGIN');
    await operator.query('SELECT * FROM limit_usage FOR UPDATE');
    const asked = store.createRequests.submit(submission(key, { links: [link(['torn'])], idempotency }));
    const refused = expect(asked).rejects.toThrow(StoreUnavailable);
    await waitingForLock();
    await operator.query(`SELECT pg_terminate_backend(pid) ${others}`);
    await operator.query('ROLLBACK');
    await refused;
    // The test waits until the server has closed the connections. Otherwise a request could use one of them and fail.
    await expect.poll(connections).toBe(0);
    expect(await targetOf(store, 'torn')).toBeNull();
    const again = submission(key, { links: [link(['torn'])], idempotency });
    const outcome = await store.createRequests.submit(again);
    expect([outcome.kind, codesOf(outcome)]).toEqual(['answered', ['torn']]);
    expect(await quotaLeft(store, key, 10)).toBe(8);
  });
});

/**
 * Timeout in milliseconds. A slow machine can send three statements in this time. The timeout of the patient store is
 * longer.
 */
const FROZEN = 10_000;

it('changes links while another process is frozen during its own change, which then fails', async () => {
  await store.links.create(1, link(['first']), NOON);
  const pool = createPool(server.url('postgres'), { ...requestTimeouts(FROZEN), max: 1 });
  const frozen = await pool.connect();
  frozen.on('error', () => {});
  await frozen.query('BEGIN');
  await frozen.query("UPDATE links SET url = 'https://example.com/changed' WHERE code = 'first'");
  await store.links.remove(1, ['first'], NOON);
  await expect(frozen.query('COMMIT')).rejects.toThrow();
  frozen.release(true);
  await pool.end();
  expect(await targetOf(store, 'first')).not.toMatchObject({ url: 'https://example.com/changed' });
});

it('a store whose server is down cannot be opened, and the error contains no password', async () => {
  const url = 'postgres://terse:geheim@127.0.0.1:1/terse';
  const opening = openStore({ engine: 'postgres', url, connections: 1 }, NOON);
  const { message } = (await opening.catch((error) => error)) as StoreError;
  expect(message).toMatch(/^The PostgreSQL database cannot be opened: .*ECONNREFUSED.*\.$/);
  expect(message).not.toContain('geheim');
});

it.each([
  ['the database accepts no connections', 'ALTER DATABASE guests ALLOW_CONNECTIONS false'],
  ['the role may not log in', 'ALTER ROLE guest NOLOGIN'],
  ['the role may not use the database', 'REVOKE CONNECT ON DATABASE guests FROM PUBLIC, guest'],
  ['the database was renamed', 'ALTER DATABASE guests RENAME TO former'],
])('a store whose server refuses its connections reports it as unavailable, if %s', async (_, refuse) => {
  for (const name of ['guests', 'former']) await operator.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await operator.query('DROP ROLE IF EXISTS guest');
  await operator.query('CREATE ROLE guest LOGIN');
  await operator.query('CREATE DATABASE guests OWNER guest');
  const url = server.url('guests').replace('terse@', 'guest@');
  const guest = await openStore({ engine: 'postgres', url, connections: 2, timeout: PATIENT }, NOON);
  const key = await makeKey(guest);

  const terminate = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'guest'`;
  // A database can be renamed only while no client is connected to it.
  if (refuse.includes('RENAME')) await operator.query(terminate);
  await operator.query(refuse);
  await operator.query(terminate);
  const outcomes = await Promise.allSettled([
    guest.links.resolve('kept'),
    guest.keys.touch(key.id, NOON),
    guest.createRequests.submit(submission(key, { links: [link(['lost'])] })),
  ]);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
  }
  await guest.close();
});

it('a store opens no more connections than its maximum, and serves all callers', async () => {
  const small = await open(2);
  await store.close();
  // The test waits until the server has closed the connections. The store opens new connections only when it needs
  // them.
  await expect.poll(connections).toBe(0);
  const key = await makeKey(small);
  const all = Array.from({ length: 40 }, (_, at) =>
    small.createRequests.submit(submission(key, { links: [link([`c${at}`])] })),
  );
  expect(await connections()).toBeLessThanOrEqual(2);
  expect(await Promise.all(all)).toHaveLength(40);
  await small.close();
  store = await open();
});

describe('a transaction that conflicts', () => {
  /** Runs a transaction that PostgreSQL ends with an error in the first attempts. Returns the number of attempts. */
  async function attempts(code: string, failing: number, result: (ended: Promise<unknown>) => Promise<unknown>) {
    const database = connect({ url: server.url('postgres'), connections: 1 });
    let made = 0;
    const ended = database.transaction(async (run) => {
      made += 1;
      if (made <= failing) await run(raw(`DO $$ BEGIN RAISE 'on purpose' USING ERRCODE = '${code}'; END $$`));
      return 'done';
    });
    await result(ended);
    await database.close();
    return made;
  }

  it.each(['40001', '40P01', '55P03'])('with %s is repeated until it succeeds', async (code) => {
    expect(await attempts(code, 3, (ended) => expect(ended).resolves.toBe('done'))).toBe(4);
  });

  it('every time fails after a number of attempts', async () => {
    const made = await attempts('40001', Number.POSITIVE_INFINITY, (ended) =>
      expect(ended).rejects.toThrow(StoreUnavailable),
    );
    expect(made).toBe(10);
  });

  it('whose commit is not answered in time is not repeated, because it may have happened', async () => {
    // The constraint is checked at the commit, which then takes longer than the timeout.
    await operator.query(`CREATE TABLE slow (id INTEGER);
      CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(5); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION sleep()`);
    const database = connect({ url: server.url('postgres'), connections: 1, timeout: 1000 });
    let made = 0;
    const ended = database.transaction(async (run) => {
      made += 1;
      await run(raw('INSERT INTO slow VALUES (1)'));
    });
    await expect(ended).rejects.toThrow(StoreTimeout);
    await database.close();
    expect(made).toBe(1);
  });

  it('or cannot begin sends nothing else', async () => {
    const sent: string[] = [];
    const query = (text: string) => Promise.reject(new Error(`refused ${sent.push(text)}`));
    const pool = { connect: async () => ({ query, release: () => {} }) } as unknown as Pool;
    await expect(inTransaction(pool, (run) => run(raw('SELECT 1')))).rejects.toThrow('refused 1');
    expect(sent).toHaveLength(1);
  });

  it.each(['57P01', '23505'])('but fails with %s is not repeated', async (code) => {
    expect(await attempts(code, 1, (ended) => expect(ended).rejects.toThrow())).toBe(1);
  });
});

describe('a store whose server has a full disk', () => {
  /** Raises SQLSTATE 53100, as PostgreSQL does if it cannot extend a file. */
  const FILL = `
    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION USING ERRCODE = ''53100'', MESSAGE = ''could not extend file: No space left on device''; END';
    CREATE TRIGGER full_disk BEFORE INSERT ON links FOR EACH STATEMENT EXECUTE FUNCTION full_disk()`;

  it('reports this for writes, allows reads, and continues when there is space', async () => {
    await awayFromMidnight();
    const key = await makeKey(store);
    await store.createRequests.submit(submission(key, { links: [link(['before'])] }));
    const idempotency = { key: 'once', endpoint: '/', fingerprint: new Uint8Array(32) };
    const order = submission(key, { links: [link(['later'])], idempotency });
    await operator.query(FILL);
    for (const write of [() => store.createRequests.submit(order), () => store.links.create(1, link(['mine']), NOON)]) {
      await expect(write()).rejects.toThrow(StoreFull);
    }
    expect(await targetOf(store, 'before')).not.toBeNull();
    expect(await quotaLeft(store, key, 10)).toBe(9);
    await operator.query('DROP TRIGGER full_disk ON links');
    const outcome = await store.createRequests.submit(order);
    expect([outcome.kind, codesOf(outcome)]).toEqual(['answered', ['later']]);
    expect(await quotaLeft(store, key, 10)).toBe(8);
  });
});
