import type { ClickBatch, ClickDay, ClickStore } from '../click-store.ts';
import { clickAdder } from './add-clicks.ts';
import type { Ask, Database } from './database.ts';

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
    async forgetVisitors(before, most) {
      const { length } = await database.write(forgetVisitors, before, most);
      if (length < most) await database.write(closeDays, before);
      return length;
    },
    async identity(proposal) {
      await database.write(name, proposal);
      return (await database.read<{ id: string }>(identity))[0]?.id as string;
    },
  };
}
