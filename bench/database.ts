import { rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { FULL_ACCESS, generateKey, hashKey, lastFour } from '../backend/src/domain/accounts/api-keys.ts';
import { systemRandom } from '../backend/src/domain/clock-and-random.ts';
import { FIRST_ACCOUNT } from '../backend/src/store/interface/store.ts';
import { type DatabaseAddress, openStore } from '../backend/src/store/open-store.ts';

/** Number of links per transaction while a database is filled. */
const PORTION = 250_000;

/**
 * Factor and modulus that spread the short codes over the alphabet, like random codes. The modulus is prime, so that
 * different links have different codes.
 */
const SPREAD = { by: 40_503, modulus: 268_435_399 };

/**
 * Returns the short code of the link with this number. The SQL and Lua versions of this function must return the same
 * code.
 */
export function codeAt(number: number): string {
  return ((number * SPREAD.by + 1) % SPREAD.modulus).toString(16).padStart(7, '0');
}

/** Fills a database directly with links, without the service. Each URL has about 70 bytes. */
export async function fill(path: string, links: number, tell: (made: number) => void): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
  await (await openStore({ engine: 'sqlite', path }, Date.now())).close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1500000');
  const insert = database.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
     INSERT INTO links (code, url, account_id, key_id, title, created_at, expires_at)
     SELECT printf('%07x', (n * ${SPREAD.by} + 1) % ${SPREAD.modulus}),
       'https://www.example.com/articles/2026/07/' || printf('%012d', n) || '/index.html?ref=' || (n % 97),
       ${FIRST_ACCOUNT}, NULL, NULL, ?, NULL FROM numbers`,
  );
  for (let made = 0; made < links; made += PORTION) {
    insert.run(made, Math.min(links, made + PORTION), Date.now());
    tell(Math.min(links, made + PORTION));
  }
  // Inserts all rows in key order, so that the table is as dense as if the service had created the links one by one.
  database.exec(
    `INSERT INTO click_totals (link_id, account_id, clicks) SELECT id, account_id, 0 FROM links ORDER BY id`,
  );
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

export function sizeOf(path: string): number {
  return statSync(path).size;
}

/**
 * Number of API keys that are created at the same time. Each key is committed separately, so more keys would exceed
 * their deadline on a slow disk.
 */
const KEYS_AT_ONCE = 100;

/** Creates API keys without rate limits. */
export async function makeKeys(database: DatabaseAddress, count: number): Promise<string[]> {
  const store = await openStore(database, Date.now());
  const keys = Array.from({ length: count }, () => generateKey(systemRandom));
  const make = (key: string) =>
    store.keys.create({
      ...FULL_ACCESS,
      accountId: FIRST_ACCOUNT,
      name: 'bench',
      hash: hashKey(key),
      lastFour: lastFour(key),
      createdAt: Date.now(),
      throttle: 100_000,
      quota: 999_999_999,
    });
  for (let made = 0; made < count; made += KEYS_AT_ONCE) {
    await Promise.all(keys.slice(made, made + KEYS_AT_ONCE).map(make));
  }
  await store.close();
  return keys;
}
