import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { type Dump, dumpPostgres, dumpSqlite, fill } from '../support/move.ts';
import { postgres } from '../support/postgres.ts';
import { run, start } from '../support/process.ts';
import { sqlite } from '../support/sqlite.ts';
import type { TestDatabase } from '../support/store.ts';

const LINKS = 20_000;
const TIMEOUT = 180_000;

/**
 * Point at which the test kills a move, as a share of the links plus some milliseconds. Some moves die before the
 * first row, some during the comparison.
 */
const kill = fc.oneof(
  fc.record({ at: fc.constant(0), after: fc.nat(3000) }),
  fc.record({ at: fc.double({ min: 0.05, max: 1, noNaN: true }), after: fc.nat(400) }),
);

it.each([
  { name: 'to PostgreSQL', from: sqlite, to: postgres },
  { name: 'to SQLite', from: postgres, to: sqlite },
])(
  'a move $name that is killed repeatedly copies everything in the end',
  async ({ from, to }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(kill, { minLength: 1, maxLength: 3 }), async (kills) => {
        const [source, target] = [await from.create(), await to.create()];
        const folder = mkdtempSync(join(tmpdir(), 'terse-move-'));
        try {
          await fillWithLinks(source);
          const before = await dump(source);
          for (const { at, after } of kills.sort((one, other) => one.at - other.at)) {
            const { child, exited } = start(folder, ['move', source.address, target.address]);
            let isOver = false;
            exited.then(() => {
              isOver = true;
            });
            while (!isOver && (await linksMoved(target)) < at * LINKS) await sleep(5);
            await sleep(after);
            child.kill('SIGKILL');
            await exited;
          }
          const { code, stderr } = await run(folder, ['move', source.address, target.address]);
          expect(code, stderr).toBe(0);
          expect(await dump(target)).toEqual(before);
        } finally {
          rmSync(folder, { recursive: true });
          await Promise.all([source.drop(), target.drop()]);
        }
      }),
      { numRuns: 1 },
    );
  },
  TIMEOUT,
);

it(
  'a move continues only if the copied data has not changed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terse-move-'));
    const [source, target] = await killedMove(folder);
    await source.execute("UPDATE links SET title = 'changed' WHERE id = 7");
    const { code, stderr } = await run(folder, ['move', source.address, target.address]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('The databases differ in the table links: the row id 7 has a different title.'),
    ]);
    await expect(target.open()).rejects.toThrow('is not finished');
    rmSync(folder, { recursive: true });
    await Promise.all([source.drop(), target.drop()]);
  },
  TIMEOUT,
);

/**
 * Kills a move after half of the links. If the move finishes before the kill, the function retries with other
 * databases.
 */
async function killedMove(folder: string): Promise<[TestDatabase, TestDatabase]> {
  for (;;) {
    const [source, target] = [await sqlite.create(), await postgres.create()];
    await fillWithLinks(source);
    const { child, exited } = start(folder, ['move', source.address, target.address]);
    while (child.exitCode === null && (await linksMoved(target)) < LINKS / 2) await sleep(5);
    child.kill('SIGKILL');
    await exited;
    if (!(await opens(target))) return [source, target];
    await Promise.all([source.drop(), target.drop()]);
  }
}

function opens(database: TestDatabase): Promise<boolean> {
  return database.open().then(
    (store) => store.close().then(() => true),
    () => false,
  );
}

async function fillWithLinks(database: TestDatabase): Promise<void> {
  const store = await database.open();
  await fill(store);
  await store.close();
  await database.execute(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${LINKS})
     INSERT INTO links (code, url, account_id, created_at) SELECT 'n' || n, 'https://example.com/' || n, 1, n FROM numbers`,
  );
}

const isFile = ({ address }: TestDatabase) => address.startsWith('file:');
const pathOf = ({ address }: TestDatabase) => address.replace('file:', '');

async function dump(database: TestDatabase): Promise<Dump> {
  const { numbers: _, ...tables } = isFile(database)
    ? dumpSqlite(pathOf(database))
    : await dumpPostgres(database.address);
  return tables;
}

async function linksMoved(target: TestDatabase): Promise<number> {
  const question = 'SELECT max(id) AS last FROM links';
  try {
    if (isFile(target)) {
      const database = new DatabaseSync(pathOf(target), { readOnly: true, timeout: 1000 });
      const last = Number(database.prepare(question).get()?.last ?? 0);
      database.close();
      return last;
    }
    const client = new Client({ connectionString: target.address });
    await client.connect();
    return await client
      .query(question)
      .then(({ rows }) => Number(rows[0].last ?? 0))
      .finally(() => client.end());
  } catch {
    return 0;
  }
}
