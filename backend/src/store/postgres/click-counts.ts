import {
  type Aggregate,
  addDay,
  type DayCounts,
  emptyDay,
  hourIn,
  sumDay,
} from '../../domain/analytics/daily-counts.ts';
import { readDay, writeDay } from '../../domain/analytics/daily-counts-encoding.ts';
import { createAccountHours } from '../../domain/analytics/sum-clicks-per-day.ts';
import type { ClickBatch, ClickDay, ClickStore } from '../interface/click-store.ts';
import type { Ask, Database } from './connection-pool.ts';

/**
 * Creates a function that adds clicks to the stored counts, with a fixed number of SQL statements. To prevent
 * deadlocks, all transactions lock rows in the same order.
 */
export function clickAdder(database: Database) {
  const openDays = database.prepare(
    `INSERT INTO click_days (link_id, day, counts)
     SELECT link_id, day, $3::text FROM unnest($1::bigint[], $2::bigint[]) AS aggregate (link_id, day)
     ON CONFLICT (link_id, day) DO NOTHING`,
  );
  const lockDays = database.prepare(
    `SELECT link_id AS link, day, counts FROM click_days
     WHERE (link_id, day) IN (SELECT link_id, day FROM unnest($1::bigint[], $2::bigint[]) AS aggregate (link_id, day))
     ORDER BY day, link_id FOR UPDATE`,
  );
  const writeDays = database.prepare(
    `UPDATE click_days SET counts = sum.counts
     FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS sum (link_id, day, counts)
     WHERE click_days.link_id = sum.link_id AND click_days.day = sum.day`,
  );
  const openVisitorDays = database.prepare('SELECT day FROM visitor_days WHERE day = ANY ($1::bigint[])');
  const addVisitors = database.prepare(
    `INSERT INTO visitors (day, link_id, hash)
     SELECT day, link_id, hash FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS visitor (day, link_id, hash)
     ON CONFLICT (day, link_id, hash) DO NOTHING RETURNING day, link_id AS link, hash`,
  );
  const addTotals = database.prepare(
    `INSERT INTO click_totals (link_id, account_id, clicks)
     SELECT links.id, CASE WHEN links.deleted_at IS NULL THEN links.account_id END, total.clicks
     FROM unnest($1::bigint[], $2::bigint[]) AS total (link_id, clicks) JOIN links ON links.id = total.link_id
     ORDER BY links.id
     ON CONFLICT (link_id) DO UPDATE SET clicks = click_totals.clicks + excluded.clicks
     RETURNING link_id AS link, account_id AS account`,
  );
  const addAccountHours = database.prepare(
    `INSERT INTO account_hours (account_id, hour, clicks)
     SELECT account_id, hour, clicks FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS more (account_id, hour, clicks)
     ORDER BY account_id, hour
     ON CONFLICT (account_id, hour) DO UPDATE SET clicks = account_hours.clicks + excluded.clicks`,
  );
  const keepAccounts = database.prepare(
    `SELECT id FROM accounts WHERE id IN (SELECT account_id FROM links WHERE id = ANY ($1::bigint[]))
     ORDER BY id FOR SHARE`,
  );
  const linksOfDeletedAccounts = database.prepare(
    'SELECT id FROM links WHERE id = ANY ($1::bigint[]) AND account_id = 0',
  );

  /**
   * If a link's account was deleted, removes the link's clicks from the batch, because the link's counts must stay
   * deleted. Locks the remaining accounts, so that their data cannot be deleted during this transaction.
   */
  async function dropDeletedAccounts(ask: Ask, aggregates: Aggregate[]): Promise<Aggregate[]> {
    const links = [...new Set(aggregates.map(({ link }) => link))];
    await ask(keepAccounts, links);
    const rows = await ask<{ id: number }>(linksOfDeletedAccounts, links);
    const ids = new Set(rows.map(({ id }) => id));
    return aggregates.filter(({ link }) => !ids.has(link));
  }

  /** Returns the stored counts for the given links and days. The rows stay locked until the transaction ends. */
  async function daysOf(ask: Ask, aggregates: Aggregate[]): Promise<Map<string, DayCounts>> {
    const links = aggregates.map(({ link }) => link);
    const days = aggregates.map(({ day }) => day);
    await ask(openDays, links, days, writeDay(emptyDay()));
    const rows = await ask<{ link: number; day: number; counts: string }>(lockDays, links, days);
    return new Map(rows.map(({ link, day, counts }) => [`${link} ${day}`, readDay(counts)]));
  }

  async function newVisitors(ask: Ask, aggregates: Aggregate[]) {
    const rows = await ask<{ day: number }>(openVisitorDays, [...new Set(aggregates.map(({ day }) => day))]);
    const open = new Set(rows.map(({ day }) => day));
    const all = aggregates
      .filter(({ day }) => open.has(day))
      .flatMap(({ link, day, visitors }) => [...visitors.keys()].map((hash) => ({ link, day, hash })));
    return ask<{ day: number; link: number; hash: number }>(
      addVisitors,
      all.map(({ day }) => day),
      all.map(({ link }) => link),
      all.map(({ hash }) => hash),
    );
  }

  /** Adds the clicks to the links' totals. Returns the account of each link, except for deleted links. */
  async function addToTotals(ask: Ask, aggregates: Aggregate[]): Promise<Map<number, number>> {
    const clicks = new Map<number, number>();
    for (const { link, counts } of aggregates) clicks.set(link, (clicks.get(link) ?? 0) + sumDay(counts).clicks);
    const clicked = [...clicks].filter(([, more]) => more > 0);
    const totals = await ask<{ link: number; account: number | null }>(
      addTotals,
      clicked.map(([link]) => link),
      clicked.map(([, more]) => more),
    );
    return new Map(totals.flatMap(({ link, account }) => (account === null ? [] : [[link, account]])));
  }

  /**
   * Adds the clicks to the hourly counts of the accounts. Must be called last, so that an account's row is locked
   * only briefly. Other transactions that count clicks for the same account must wait for this lock.
   */
  async function addToAccounts(ask: Ask, aggregates: Aggregate[], owners: Map<number, number>): Promise<void> {
    const accounts = createAccountHours();
    for (const { link, day, counts } of aggregates) {
      const owner = owners.get(link);
      if (owner !== undefined) accounts.add(owner, day, counts);
    }
    const sums = accounts.sums();
    if (sums.length === 0) return;
    await ask(
      addAccountHours,
      sums.map(({ account }) => account),
      sums.map(({ hour }) => hour),
      sums.map(({ clicks }) => clicks),
    );
  }

  return async (ask: Ask, unordered: Aggregate[]): Promise<void> => {
    const counted = await dropDeletedAccounts(ask, unordered);
    const aggregates = counted.toSorted((one, other) => one.day - other.day || one.link - other.link);
    const sums = await daysOf(ask, aggregates);
    const sumOf = ({ link, day }: { link: number; day: number }) => sums.get(`${link} ${day}`) as DayCounts;
    for (const aggregate of aggregates) addDay(sumOf(aggregate), aggregate.counts);
    const hours = new Map(aggregates.map(({ link, day, visitors }) => [`${link} ${day}`, visitors]));
    for (const visitor of await newVisitors(ask, aggregates)) {
      const hour = hours.get(`${visitor.link} ${visitor.day}`)?.get(visitor.hash) as number;
      hourIn(sumOf(visitor), hour).visitors += 1;
    }
    await ask(
      writeDays,
      aggregates.map(({ link }) => link),
      aggregates.map(({ day }) => day),
      aggregates.map((aggregate) => writeDay(sumOf(aggregate))),
    );
    await addToAccounts(ask, aggregates, await addToTotals(ask, aggregates));
  };
}

export function clickStore(database: Database): ClickStore {
  const addClicks = clickAdder(database);
  const begin = database.prepare(
    'INSERT INTO click_journals (id, progress) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id',
  );
  const advance = database.prepare(
    'UPDATE click_journals SET progress = $2 WHERE id = $1 AND progress = $3 RETURNING id',
  );
  const progress = database.prepare('SELECT progress FROM click_journals WHERE id = $1');
  const forgetJournal = database.prepare('DELETE FROM click_journals WHERE id = $1');
  const days = database.prepare(
    'SELECT day, counts FROM click_days WHERE link_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day',
  );
  const accountHours = database.prepare(
    'SELECT hour, clicks FROM account_hours WHERE account_id = $1 AND hour BETWEEN $2 AND $3 ORDER BY hour',
  );
  const accountHoursSince = database.prepare('SELECT min(hour) AS since FROM account_hours WHERE account_id = 0');
  const openDay = database.prepare('INSERT INTO visitor_days (day, salt) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING');
  const salt = database.prepare('SELECT salt FROM visitor_days WHERE day = $1');
  const forgetSalts = database.prepare('UPDATE visitor_days SET salt = NULL WHERE day < $1 AND salt IS NOT NULL');
  const forgetVisitors = database.prepare(
    `DELETE FROM visitors WHERE (day, link_id, hash) IN
       (SELECT day, link_id, hash FROM visitors WHERE day < $1 LIMIT $2) RETURNING day`,
  );
  const closeDays = database.prepare('DELETE FROM visitor_days WHERE day < $1');
  const name = database.prepare('INSERT INTO identity (one, id) VALUES (1, $1) ON CONFLICT (one) DO NOTHING');
  const identity = database.prepare('SELECT id FROM identity WHERE one = 1');

  async function count(ask: Ask, { journal, from, to, aggregates }: ClickBatch): Promise<boolean> {
    const noted = from === null ? await ask(begin, journal, to) : await ask(advance, journal, to, from);
    if (noted.length === 0) return false;
    await addClicks(ask, aggregates);
    return true;
  }

  return {
    apply: (batch) => database.transaction((ask) => count(ask, batch)),
    progress: async (journal) => (await database.read<{ progress: string }>(progress, journal))[0]?.progress ?? null,
    async forgetJournal(journal) {
      await database.write(forgetJournal, journal);
    },
    days: (linkId, from, to) => database.read<ClickDay>(days, linkId, from, to),
    accountHours: (accountId, from, to) => database.read(accountHours, accountId, from, to),
    accountHoursSince: async () => (await database.read<{ since: number | null }>(accountHoursSince))[0]?.since ?? null,
    async salt(day, proposal) {
      await database.write(openDay, day, proposal);
      return (await database.read<{ salt: Uint8Array | null }>(salt, day))[0]?.salt ?? proposal;
    },
    async forgetSalts(before) {
      await database.write(forgetSalts, before);
    },
    async forgetVisitors(before, max) {
      const { length } = await database.write(forgetVisitors, before, max);
      if (length < max) await database.write(closeDays, before);
      return length;
    },
    async identity(proposal) {
      await database.write(name, proposal);
      return (await database.read<{ id: string }>(identity))[0]?.id as string;
    },
  };
}
