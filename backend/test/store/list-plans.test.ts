import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Sql } from 'sql-template-tag';
import { expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/day-counts.ts';
import type { StoredLink } from '../../src/domain/links/stored-link.ts';
import type { Store } from '../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { restorableOf } from '../../src/store/sql/link-queries.ts';
import { byClicks, byCreation } from '../../src/store/sql/link-rows.ts';
import { addAndCount, clicksOn } from '../support/clicks.ts';
import { postgres } from '../support/postgres.ts';
import { sqlite } from '../support/sqlite.ts';
import { link, NOON } from '../support/store.ts';

const page = { account: FIRST_ACCOUNT, max: 10 };
const LISTS: [name: string, statement: Sql][] = [
  ['newest first', byCreation(page, null, 'newest')],
  ['newest first, a later page', byCreation(page, { createdAt: NOON, id: 20 }, 'newest')],
  ['oldest first', byCreation(page, null, 'oldest')],
  ['oldest first, a later page', byCreation(page, { createdAt: NOON, id: 20 }, 'oldest')],
  ['by clicks', byClicks(page, null)],
  ['by clicks, a later page', byClicks(page, { id: 20 })],
  ['deleted together', restorableOf(FIRST_ACCOUNT, { deletedAt: NOON + 1, now: NOON })],
];

/** Creates 60 links, adds clicks to the first 40, and deletes five of every six links. */
async function fill(store: Store): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    const { id, code } = (await store.links.create(FIRST_ACCOUNT, link([`code-${at}`]), NOON)) as StoredLink;
    if (at < 40) await addAndCount(store, clicksOn(id, dayOf(NOON), 12, 1 + (at % 7)));
    if (at % 6 > 0) await store.links.remove(FIRST_ACCOUNT, [code], NOON);
  }
}

it('PostgreSQL lists links without reading deleted links', async () => {
  const database = await postgres.create();
  const store = await database.open();
  await fill(store);
  const client = new Client({ connectionString: database.address });
  await client.connect();
  // PostgreSQL scans a table of sixty rows without an index. These statistics make PostgreSQL plan for millions of
  // rows.
  await client.query(
    'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off; SET enable_material = off',
  );
  // Only these tables are analyzed, because ANALYZE locks tables that other tests use.
  await client.query('ANALYZE links, click_totals');
  for (const [name, { text, values }] of LISTS) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    const plan = JSON.stringify(rows);
    const removed = [...plan.matchAll(/"Rows Removed by [A-Za-z ]*Filter":(\d+)/g)].map(([, count]) => Number(count));
    expect([name, removed.filter((count) => count > 0)]).toEqual([name, []]);
    expect(plan).toContain('"Index Name"');
  }
  await client.end();
  await store.close();
  await database.drop();
});

it('SQLite lists links with an index that excludes deleted links', async () => {
  const database = await sqlite.create();
  const store = await database.open();
  const connection = new DatabaseSync(database.address.replace('file:', ''));
  for (const [name, { sql, values }] of LISTS) {
    const plan = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(values as number[]));
    const steps = plan.map(({ detail }) => String(detail)).filter((step) => /links\b/.test(step));
    const known = /account_id=\? AND deleted_at=\?|PRIMARY KEY/;
    expect([name, steps.filter((step) => !known.test(step))]).toEqual([name, []]);
    // Millions of links can have the same creation time, and a later page must not read those of earlier pages.
    if (/^(newest|oldest)/.test(name)) expect(JSON.stringify(plan)).toMatch(/created_at=\? AND id[<>]\?/);
    expect(steps).not.toEqual([]);
  }
  connection.close();
  await store.close();
  await database.drop();
});
