import { DatabaseSync } from 'node:sqlite';
import type { Sql } from 'sql-template-tag';
import { expect, it } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { restorableOf } from '../../src/store/sql/link-queries.ts';
import { byClicks, byCreation } from '../../src/store/sql/link-rows.ts';
import { sqlite } from '../support/sqlite.ts';
import { NOON } from '../support/store.ts';

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
