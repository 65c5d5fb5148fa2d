import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { emptyDay, hourIn } from '../../src/domain/analytics/daily-counts.ts';
import { purgeDeletedAccounts } from '../../src/maintenance/purge.ts';
import type { Store } from '../../src/store/interface/store.ts';
import { postgres } from '../support/postgres.ts';
import { link, NOON, type TestDatabase } from '../support/store.ts';

const LATER = NOON + 60_000;
const DAY = 20_635;

let database: TestDatabase;
let stores: Store[];
let operator: Client;
let operatorPid: number;
/**
 * Within a transaction, PostgreSQL returns the list of sessions as of the first read. This connection therefore uses
 * no transaction.
 */
let onlooker: Client;
afterEach(async () => {
  await operator.end();
  await onlooker.end();
  for (const store of stores) await store.close();
  await database.drop();
});

const countOf = async (table: string) => Number((await operator.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

/** Returns the number of sessions that wait for the operator's transaction, directly or indirectly. */
async function blocked(): Promise<number> {
  const { rows } = await onlooker.query(
    `WITH RECURSIVE blocked (pid) AS (
       SELECT $1::int UNION
       SELECT session.pid FROM pg_stat_activity AS session JOIN blocked ON blocked.pid = ANY (pg_blocking_pids(session.pid))
     ) SELECT count(*) - 1 AS count FROM blocked`,
    [operatorPid],
  );
  return Number(rows[0].count);
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.address });
  await client.connect();
  return client;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}

it.each([postgres])(
  'clicks that are counted while their account is deleted are also deleted on $name',
  async (engine) => {
    database = await engine.create();
    stores = [await database.open(), await database.open()];
    const [counting, clearing] = stores as [Store, Store];
    operator = await connect();
    onlooker = await connect();
    operatorPid = (await operator.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
    const { id: account } = await counting.accounts.create('other', NOON);
    const made = await counting.links.create(account, link(['late']), NOON);
    const linkId = made?.id ?? 0;
    await counting.accounts.remove({ accountId: account, verified: null, now: LATER });

    // The counting transaction has read the owner of the link. It now waits for another transaction that inserts the
    // same day.
    await operator.query('BEGIN');
    await operator.query('INSERT INTO click_days (link_id, day, counts) VALUES ($1, $2, $3)', [linkId, DAY, '']);
    const counts = emptyDay();
    hourIn(counts, 12).clicks = 3;
    const aggregates = [{ link: linkId, day: DAY, counts, visitors: new Map() }];
    const counted = counting.clicks.apply({ journal: 'late', from: null, to: '1', aggregates });
    await until(async () => (await blocked()) === 1);
    let isCleared = false;
    const cleared = purgeDeletedAccounts(clearing, LATER).then(() => {
      isCleared = true;
    });
    await until(async () => isCleared || (await blocked()) === 2);
    await operator.query('ROLLBACK');
    expect(await counted).toBe(true);
    await cleared;
    await purgeDeletedAccounts(clearing, LATER);

    for (const table of ['click_days', 'click_totals']) expect([table, await countOf(table)]).toEqual([table, 0]);
    expect(await countOf(`account_hours WHERE account_id = ${account}`)).toBe(0);
  },
);
