import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayOf } from '../../src/domain/analytics/calendar.ts';
import { emptyDay, firstDayOf, hourIn, monthOf, sumDay } from '../../src/domain/analytics/daily-counts.ts';
import { readDay, writeDay } from '../../src/domain/analytics/daily-counts-encoding.ts';
import { FIRST_ROW, type LinkDay } from '../../src/store/interface/click-store.ts';
import { FIRST_ACCOUNT, type Store } from '../../src/store/interface/store.ts';
import { MIGRATIONS } from '../../src/store/migrations/all-migrations.ts';
import { migrate, POSTGRES } from '../../src/store/postgres/migrate.ts';
import { postgres } from '../support/postgres.ts';
import { link, NOON, type TestDatabase } from '../support/store.ts';

const JULY = monthOf(dayOf(NOON));
const AUTUMN = Date.UTC(1970, JULY + 4, 1);

let database: TestDatabase;
let client: Client;
beforeEach(async () => {
  database = await postgres.create();
  client = new Client({ connectionString: database.address });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const ask = async (question: string) => (await client.query({ text: question, rowMode: 'array' })).rows;
/** Returns the table of each day. Tables are numbered by the months since July. */
const daysAndTables = async () =>
  (await ask('SELECT day, tableoid::regclass::text FROM click_days ORDER BY day')).map(([day, table]) => [
    monthOf(Number(day)) - JULY,
    table,
  ]);
const tables = async () =>
  (
    await ask("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'click_days'::regclass ORDER BY 1")
  ).flat();

function aggregate(linkId: number, day: number) {
  const counts = emptyDay();
  Object.assign(hourIn(counts, 1), { clicks: 2, visitors: 1, bots: 0 });
  return { link: linkId, day, counts, visitors: new Map() };
}

async function count(store: Store, months: number[]): Promise<number> {
  const made = await store.links.create(FIRST_ACCOUNT, link([`code-${months.join('-')}`]), NOON);
  const aggregates = months.map((month) => aggregate(made?.id ?? 0, firstDayOf(JULY + month)));
  await store.clicks.apply({ journal: months.join('-'), from: null, to: 'a', aggregates });
  return made?.id ?? 0;
}

describe('click counts on PostgreSQL', () => {
  it('are migrated unchanged, and the table is not read while it is locked', async () => {
    await migrate(
      database.address,
      NOON,
      MIGRATIONS.filter(({ id }) => id < 15),
    );
    await client.query('INSERT INTO click_days (link_id, day, counts) VALUES (7, $1, $2)', [
      dayOf(NOON),
      writeDay(aggregate(7, 0).counts),
    ]);
    const files = async (table: string) =>
      ask(`SELECT pg_relation_filenode('${table}'), pg_relation_filenode('${table}_pkey')`);
    const before = await files('click_days');
    const { prepare, statements } = POSTGRES.clickDaysByMonth(NOON);
    for (const statement of prepare) await client.query(statement);
    const notices: string[] = [];
    client.on('notice', ({ message }) => notices.push(message ?? ''));
    await client.query(`BEGIN; SET LOCAL client_min_messages = debug1; ${statements.join('; ')}; ROLLBACK`);
    expect(notices.join('\n')).toContain('"click_days_before" is implied by existing constraints');

    // A killed process may have applied the first step already, so the test applies it twice.
    await migrate(database.address, NOON);
    expect(await files('click_days_before')).toEqual(before);
    expect(await daysAndTables()).toEqual([[0, 'click_days_before']]);
  });

  it('are migrated even if a wrong clock dated some days far in the future', async () => {
    await migrate(
      database.address,
      NOON,
      MIGRATIONS.filter(({ id }) => id < 15),
    );
    const text = writeDay(aggregate(7, 0).counts);
    for (const month of [0, 30]) {
      await client.query('INSERT INTO click_days (link_id, day, counts) VALUES (7, $1, $2)', [
        firstDayOf(JULY + month),
        text,
      ]);
    }
    // A process may be killed before the last step, so all earlier steps run again.
    for (const statement of POSTGRES.clickDaysByMonth(NOON).prepare) await client.query(statement);
    await migrate(database.address, NOON);
    expect(await daysAndTables()).toEqual([
      [0, 'click_days_before'],
      [30, 'click_days_other'],
    ]);
    expect(await ask('SELECT link_id, counts FROM click_days')).toEqual([
      ['7', text],
      ['7', text],
    ]);
  });

  it('move to the table of their month if they arrived before it existed', async () => {
    const store = await database.open();
    const id = await count(store, [4, 30]);
    expect(await daysAndTables()).toEqual([
      [4, 'click_days_other'],
      [30, 'click_days_other'],
    ]);
    await store.partitions?.keepAhead(AUTUMN);
    expect(await daysAndTables()).toEqual([
      [4, 'click_days_2026_11'],
      [30, 'click_days_other'],
    ]);
    const more = { journal: 'more', from: null, to: 'a', aggregates: [aggregate(id, firstDayOf(JULY + 4))] };
    await store.clicks.apply(more);
    const days = await store.clicks.days(id, 0, firstDayOf(JULY + 31));
    expect(days.map(({ counts }) => sumDay(readDay(counts)).clicks)).toEqual([4, 2]);
    await store.close();
  });

  it('are in the table of their month, which is created in time, even with wrong dates', async () => {
    const store = await database.open();
    const other = await database.open();
    for (let time = 0; time < 2; time += 1) {
      await Promise.all([store, other].map(({ partitions }) => partitions?.keepAhead(AUTUMN)));
    }
    await other.close();
    const id = await count(store, [-9, 0, 3, 4, 6, 30]);
    expect(await daysAndTables()).toEqual([
      [-9, 'click_days_before'],
      [0, 'click_days_before'],
      [3, 'click_days_2026_10'],
      [4, 'click_days_2026_11'],
      [6, 'click_days_2027_01'],
      [30, 'click_days_other'],
    ]);
    const days = await store.clicks.days(id, 0, firstDayOf(JULY + 31));
    expect(days.map(({ counts }) => sumDay(readDay(counts)).clicks)).toEqual([2, 2, 2, 2, 2, 2]);
    await store.close();
  });

  it('have tables again after the clock was ahead by a century', async () => {
    const store = await database.open();
    await store.partitions?.keepAhead(AUTUMN);
    const known = await tables();
    await store.partitions?.keepAhead(Date.UTC(1970, JULY + 1200, 1));
    const later = Date.UTC(1970, JULY + 6, 1);
    await store.partitions?.keepAhead(later);
    const made = (await tables()).filter((name) => !known.includes(name));
    expect(made.filter((name) => name < 'click_days_2100')).toEqual(['click_days_2027_02', 'click_days_2027_03']);
    expect(made.length).toBeLessThan(20);
    await store.close();
  });

  it('leave no tables behind after they are rolled up', async () => {
    const store = await database.open();
    await store.partitions?.keepAhead(AUTUMN);
    const id = await count(store, [0, 3, 4, 5]);
    const before = JULY + 5;
    await store.months.startRollUp(before);
    await store.partitions?.dropEmpty(before);
    expect(await tables()).toContain('click_days_2026_10');
    for (let last: LinkDay | null = FIRST_ROW; last; ) last = await store.months.rollUp(last, before, 2);
    await store.partitions?.dropEmpty(before);
    expect(await tables()).toEqual(['click_days_2026_12', 'click_days_2027_01', 'click_days_other']);
    const late = { journal: 'late', from: null, to: 'a', aggregates: [aggregate(id, firstDayOf(JULY))] };
    expect(await store.clicks.apply(late)).toBe(true);
    expect(await daysAndTables()).toEqual([
      [0, 'click_days_other'],
      [5, 'click_days_2026_12'],
    ]);
    await store.partitions?.keepAhead(AUTUMN);
    await store.close();
  });
});
