import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { expect } from 'vitest';
import { dayOf, startOf } from '../../src/domain/analytics/day-counts.ts';
import { movedTables } from '../../src/move-database/move-database.ts';
import type { Store } from '../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import type { Import } from '../../src/store/sql/import-queries.ts';
import { addAndCount, addClicks, click } from './clicks.ts';
import { link, makeKey, NOON, submission, TAKEN } from './store.ts';

const bytes = (byte: number) => new Uint8Array(32).fill(byte);

/** Cached response of all requests. */
const RESPONSE = { status: 207, body: '"\\u0000"', location: '/ü' };

/** Inserts rows into every table, including values that the database engines store or sort differently. */
export async function fill(store: Store): Promise<void> {
  const { id: ada } = await store.accounts.create('Ada “quoted” \\ back\tslash 😀', NOON);
  await store.accounts.invite({ accountId: ada, hash: bytes(1), createdAt: NOON, expiresAt: NOON + 1 });
  await store.accounts.accept({ hash: bytes(1), name: 'Ada', nameKey: 'ada', password: 'hash', now: NOON });
  await store.accounts.invite({ accountId: ada, hash: bytes(255), createdAt: NOON, expiresAt: NOON + 1 });
  const session = { accountId: ada, hash: bytes(2), password: 'hash', device: 'Firefox on Linux', now: NOON };
  await store.sessions.create(session);

  const own = { ownLinksOnly: true, throttle: 0.1, quota: 7, accountId: ada, hash: bytes(3) };
  const keys = [await makeKey(store, { hash: bytes(4) }), await makeKey(store, own)];
  await store.keys.revoke((await makeKey(store, { hash: bytes(5) })).id, NOON);
  // The byte order of these codes differs from the alphabetical order of any language.
  const suffixes = ['B', 'a', '_x', 'Zz', 'zZ', '-', 'a-b', 'aB', 'ab'];
  // One of the links belongs to another domain.
  const codes = suffixes.map((code) => (code === '-' ? '//go.example/codeab' : `code${code}`));
  for (const [at, code] of codes.entries()) {
    const idempotency = { key: code, endpoint: at % 2 ? '/a' : '/B', fingerprint: bytes(at) };
    const links = [
      link([code], {
        title: at % 3 ? `${code} — ‮ürl 😀` : null,
        expiresAt: at % 2 ? NOON + at : null,
        tags: ['Zoo', 'ärger', '_'],
        forwardQuery: at % 2 === 0,
      }),
    ];
    const key = keys[at % 2];
    if (!key) continue;
    const order = submission(key, { links, idempotency, accountQuota: 10 });
    await store.createRequests.submit({
      ...order,
      async respond(transaction) {
        await order.respond(transaction);
        return RESPONSE;
      },
    });
  }
  await store.links.remove(FIRST_ACCOUNT, ['codeB'], NOON);
  await store.links.takeDown('codea', NOON);

  const file = { name: 'links.csv', total: 3, fingerprint: bytes(8), runner: 'me', now: NOON };
  const run = (await store.imports.begin({ accountId: FIRST_ACCOUNT, uploadId: 0, ...file })) as Import;
  const bad = { line: 2, subject: 'x', problem: 'Please enter a valid URL.' };
  await store.uploads.add(
    { accountId: ada, token: 'token', name: 'ä.csv', total: 3, content: bytes(0), now: NOON },
    100,
  );
  await store.imports.apply(run, [bad, { ...bad, line: 10 }], TAKEN, NOON, 10);
  await store.links.createFromForm(ada, link(['form']), { submission: bytes(5), quota: null, now: NOON });

  const day = dayOf(NOON);
  await store.clicks.salt(day, new Uint8Array(16).fill(9));
  const codeId = (await store.links.find(FIRST_ACCOUNT, 'code_x'))?.id as number;
  for (const at of [0, 1, 2]) {
    const more = { at: startOf(day - 70 * at, at), visitor: 2 ** 48 - 1 - at, referrer: 'ü.example' };
    await addAndCount(store, [click(codeId, more), click(codeId, { ...more, bot: true })]);
  }
  await addClicks(store, [click(codeId, { visitor: 5 })]);
}

/** All rows of all moved tables. The test reads them without the tested code. */
export type Dump = Record<string, unknown[]>;

export function dumpSqlite(path: string): Dump {
  const database = new DatabaseSync(path, { readOnly: true });
  const dump = Object.fromEntries(
    movedTables().map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).all().map(plain).sort(byText)]),
  );
  database.close();
  return dump;
}

export async function dumpPostgres(url: string): Promise<Dump> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const dump: Dump = {};
  for (const { name } of movedTables())
    dump[name] = (await client.query(`SELECT * FROM ${name}`)).rows.map(plain).sort(byText);
  await client.end();
  return dump;
}

/**
 * Converts a row to a format that is equal for both engines. PostgreSQL's driver returns large integers as strings.
 */
function plain(row: object): unknown {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value === null ? null : String(value),
  ]);
  return Object.fromEntries(entries.sort(([one = ''], [other = '']) => ((one ?? '') < (other ?? '') ? -1 : 1)));
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

/** Checks that every table has rows. */
export function expectFull(dump: Dump): void {
  for (const [name, rows] of Object.entries(dump)) expect(rows.length, name).toBeGreaterThan(0);
}
