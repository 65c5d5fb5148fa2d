import {
  type Aggregate,
  addDay,
  copyDay,
  type DayCounts,
  hourIn,
  sumDay,
} from '../../domain/analytics/daily-counts.ts';
import { readDay, type StoredDay, writeDay } from '../../domain/analytics/daily-counts-encoding.ts';
import { type AccountHours, createAccountHours } from '../../domain/analytics/sum-clicks-per-day.ts';
import { limitSize } from '../../domain/bounded-map.ts';
import type { ClickBatch, ClickDay, ClickStore } from '../interface/click-store.ts';
import type { Database } from './sqlite-connection.ts';

const MAX_CACHED_TEXTS = 5000;

/**
 * Encodes a link's click counts for a day that has no stored counts yet. `newVisitors` contains one hour per new
 * visitor: the hour of the visitor's first click.
 */
export type WriteFirst = (counts: DayCounts, newVisitors: readonly number[]) => StoredDay;

/**
 * Creates a function that encodes a link's click counts for a day that has no stored counts yet. Days with only one
 * click often have the same counts, so the function caches their encoded text.
 */
export function createFirstDays(): WriteFirst {
  const known = [new Map<DayCounts, StoredDay>(), new Map<DayCounts, StoredDay>()] as const;

  return (counts, newVisitors) => {
    const { clicks, bots } = sumDay(counts);
    if (clicks + bots > 1) return writeDay(withVisitors(counts, newVisitors));
    const texts = known[newVisitors.length === 0 ? 0 : 1];
    const before = texts.get(counts);
    if (before !== undefined) return before;
    const text = writeDay(withVisitors(counts, newVisitors));
    limitSize(texts, MAX_CACHED_TEXTS, counts, text);
    return text;
  };
}

export function withVisitors(counts: DayCounts, newVisitors: readonly number[]): DayCounts {
  const copy = copyDay(counts);
  for (const hour of newVisitors) hourIn(copy, hour).visitors += 1;
  return copy;
}

type Owner = [account: number | null];

const NONE: readonly number[] = [];

export function clickStore(database: Database): ClickStore {
  const begin = database.prepare('INSERT INTO click_journals (id, progress) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const advance = database.prepare('UPDATE click_journals SET progress = ? WHERE id = ? AND progress = ?');
  const progress = database.prepare('SELECT progress FROM click_journals WHERE id = ?');
  const forgetJournal = database.prepare('DELETE FROM click_journals WHERE id = ?');
  const firstCounts = database.prepare(
    'INSERT INTO click_days (link_id, day, counts) VALUES (?, ?, ?) ON CONFLICT (link_id, day) DO NOTHING',
  );
  const readCounts = database.prepare('SELECT counts FROM click_days WHERE link_id = ? AND day = ?');
  readCounts.setReturnArrays(true);
  const writeCounts = database.prepare('UPDATE click_days SET counts = ? WHERE link_id = ? AND day = ?');
  const addTotal = database.prepare(
    'UPDATE click_totals SET clicks = clicks + ? WHERE link_id = ? RETURNING account_id AS account',
  );
  const firstTotal = database.prepare(
    `INSERT INTO click_totals (link_id, account_id, clicks)
     SELECT id, CASE WHEN deleted_at IS NULL THEN account_id END, ? FROM links WHERE id = ?
     RETURNING account_id AS account`,
  );
  addTotal.setReturnArrays(true);
  firstTotal.setReturnArrays(true);
  const addAccountHour = database.prepare(
    `INSERT INTO account_hours (account_id, hour, clicks) VALUES (?, ?, ?)
     ON CONFLICT (account_id, hour) DO UPDATE SET clicks = clicks + excluded.clicks`,
  );
  const accountHours = database.prepare(
    'SELECT hour, clicks FROM account_hours WHERE account_id = ? AND hour BETWEEN ? AND ? ORDER BY hour',
  );
  const accountHoursSince = database.prepare('SELECT min(hour) AS since FROM account_hours WHERE account_id = 0');
  const isNobodys = database.prepare('SELECT 1 FROM links WHERE id = ? AND account_id = 0');
  const days = database.prepare(
    'SELECT day, counts FROM click_days WHERE link_id = ? AND day BETWEEN ? AND ? ORDER BY day',
  );
  const addVisitor = database.prepare(
    'INSERT INTO visitors (day, link_id, hash) VALUES (?, ?, ?) ON CONFLICT (day, link_id, hash) DO NOTHING',
  );
  const openDay = database.prepare('INSERT INTO visitor_days (day, salt) VALUES (?, ?) ON CONFLICT (day) DO NOTHING');
  const salt = database.prepare('SELECT salt FROM visitor_days WHERE day = ?');
  const forgetSalts = database.prepare('UPDATE visitor_days SET salt = NULL WHERE day < ? AND salt IS NOT NULL');
  const forgetVisitors = database.prepare(
    `DELETE FROM visitors WHERE (day, link_id, hash) IN
       (SELECT day, link_id, hash FROM visitors WHERE day < ? LIMIT ?)`,
  );
  const closeDays = database.prepare('DELETE FROM visitor_days WHERE day < ?');
  const writeFirst = createFirstDays();
  const name = database.prepare('INSERT INTO identity (one, id) VALUES (1, ?) ON CONFLICT (one) DO NOTHING');
  const identity = database.prepare('SELECT id FROM identity WHERE one = 1');

  function count({ journal, from, to, aggregates }: ClickBatch): boolean {
    const { changes } = from === null ? begin.run(journal, to) : advance.run(to, journal, from);
    if (changes === 0) return false;
    const days = new Set(aggregates.map(({ day }) => day));
    const open = new Set([...days].filter((day) => salt.get(day)));
    const accounts = createAccountHours();
    for (const aggregate of aggregates) add(aggregate, open.has(aggregate.day), accounts);
    for (const { account, hour, clicks } of accounts.sums()) addAccountHour.run(account, hour, clicks);
    return true;
  }

  /**
   * Adds the clicks on one link during one day to the stored counts.
   *
   * @param isOpen true if the salt of the day, which is needed to count visitors, is still stored
   */
  function add(aggregate: Aggregate, isOpen: boolean, accounts: AccountHours): void {
    const { link, day, counts } = aggregate;
    const owner = addToTotal(link, sumDay(counts).clicks);
    if (owner === 'nobody') return;
    if (owner !== null) accounts.add(owner, day, counts);
    const visitors = isOpen ? newVisitors(aggregate) : NONE;
    // Most links have no counts for the day yet, so the counts are inserted without reading the stored counts first.
    if (firstCounts.run(link, day, writeFirst(counts, visitors)).changes === 1) return;
    const [before] = readCounts.get(link, day) as unknown as [counts: string];
    writeCounts.run(writeDay(addDay(readDay(before), withVisitors(counts, visitors))), link, day);
  }

  /**
   * Adds clicks to a link's total and returns the link's account. Returns null if the link is deleted. If the account
   * was removed, adds nothing.
   */
  function addToTotal(link: number, clicks: number): number | null | 'nobody' {
    const known = addTotal.get(clicks, link) as unknown as Owner | undefined;
    if (known) return known[0];
    if (isNobodys.get(link)) return 'nobody';
    const first = firstTotal.get(clicks, link) as unknown as Owner | undefined;
    return first?.[0] ?? null;
  }

  /**
   * Stores the visitors to a link on one day. Returns the hour of the first click for each visitor who was not stored
   * before.
   */
  function newVisitors({ link, day, visitors }: Aggregate): readonly number[] {
    const hours: number[] = [];
    for (const [hash, hour] of visitors) if (addVisitor.run(day, link, hash).changes === 1) hours.push(hour);
    return hours;
  }

  return {
    apply: (batch) => database.write(() => count(batch)),
    progress: async (journal) => (progress.get(journal)?.progress as string | undefined) ?? null,
    forgetJournal: (journal) =>
      database.write(() => {
        forgetJournal.run(journal);
      }),
    accountHours: async (accountId, from, to) =>
      accountHours.all(accountId, from, to) as unknown as { hour: number; clicks: number }[],
    accountHoursSince: async () => accountHoursSince.get()?.since as number | null,
    days: async (linkId, from, to) => days.all(linkId, from, to) as unknown as ClickDay[],
    salt: (day, proposal) =>
      database.write(() => {
        openDay.run(day, proposal);
        return (salt.get(day)?.salt as Uint8Array | null) ?? proposal;
      }),
    forgetSalts: (before) =>
      database.write(() => {
        forgetSalts.run(before);
      }),
    forgetVisitors: (before, max) =>
      database.write(() => {
        const { changes } = forgetVisitors.run(before, max);
        if (changes < max) closeDays.run(before);
        return Number(changes);
      }),
    identity: (proposal) =>
      database.write(() => {
        name.run(proposal);
        return identity.get()?.id as string;
      }),
  };
}
