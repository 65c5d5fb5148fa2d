import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as tick } from 'node:timers/promises';
import { createKey } from '../backend/src/commands/manage.ts';
import { systemRandom } from '../backend/src/domain/clock-and-random.ts';
import { type DatabaseAddress, openStore } from '../backend/src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../backend/src/store/sql/account-queries.ts';

/** Number of links inserted per statement. Progress is shown after each statement. */
const PORTION = 250_000;

/** Number of digits of each short code, enough for ten million links. */
const CODE_LENGTH = 7;

/** Returns the short code of the link with this number. `codeInLua` must return the same codes. */
export function codeAt(number: number): string {
  return String(number).padStart(CODE_LENGTH, '0');
}

/** Returns a Lua expression for wrk with the value of `codeAt`. */
export function codeInLua(number: string): string {
  return `string.format("%0${CODE_LENGTH}d", ${number})`;
}

/**
 * Inserts links for the first account directly into a new database, without the service. Each URL is about 70 bytes
 * long. Yields to the event loop after each chunk of links, so that the program can be stopped.
 *
 * @param tell called with the number of links inserted so far
 */
export async function fill(path: string, links: number, tell: (made: number) => void): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
  await (await openStore({ engine: 'sqlite', path }, Date.now())).close();
  // In its defensive mode, SQLite refuses to turn off the journal.
  const database = new DatabaseSync(path, { defensive: false });
  // Speeds up the inserts with a 4 GB cache and without a journal. The service later turns the journal on again.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000');
  // Foreign keys need no check, because all links belong to an existing account.
  database.exec('PRAGMA foreign_keys = OFF');
  database.function('code_at', { deterministic: true }, (number) => codeAt(Number(number)));
  const insert = database.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
     INSERT INTO links (code, url, account_id, title, created_at, expires_at)
     SELECT code_at(n),
       'https://www.example.com/articles/2026/07/' || printf('%012d', n) || '/index.html?ref=' || (n % 97),
       ${FIRST_ACCOUNT}, NULL, CAST(? AS INTEGER) + n, NULL FROM numbers`,
  );
  // Inserts the click totals sorted by link id. The table is then as compact as in a real service.
  const addTotals = database.prepare(
    'INSERT INTO click_totals (link_id, account_id, clicks) SELECT id, account_id, 0 FROM links WHERE id > ? ORDER BY id',
  );
  // The creation times are one millisecond apart, and the last one is now.
  const firstCreatedAt = Date.now() - links;
  // One transaction, because each commit writes most of the index on codes.
  database.exec('BEGIN');
  for (let made = 0; made < links; made += PORTION) {
    insert.run(made, Math.min(links, made + PORTION), firstCreatedAt);
    addTotals.run(made);
    tell(Math.min(links, made + PORTION));
    await tick();
  }
  database.exec('COMMIT');
  database.close();
}

/**
 * Number of API keys that are created concurrently. Each key is committed separately, so creating more keys at once
 * could time out on a slow disk.
 */
const KEYS_AT_ONCE = 100;

/** Creates API keys without rate limits. */
export async function makeKeys(database: DatabaseAddress, count: number): Promise<string[]> {
  const store = await openStore(database, Date.now());
  const keys: string[] = [];
  const make = () =>
    createKey(store, systemRandom, { name: 'bench', throttle: 100_000, quota: 999_999_999 }, Date.now());
  while (keys.length < count) {
    const some = Math.min(KEYS_AT_ONCE, count - keys.length);
    keys.push(...(await Promise.all(Array.from({ length: some }, make))));
  }
  await store.close();
  return keys;
}
