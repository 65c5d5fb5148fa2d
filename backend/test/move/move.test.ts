import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/environment.ts';
import { move as moveDatabase, undoMove } from '../../src/move-database/move-database.ts';
import { openForMove } from '../../src/move-database/open-databases.ts';
import { MARKS, MIGRATIONS_TABLE, toPostgres } from '../../src/store/migrations/all-migrations.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { StoreError } from '../../src/store/store-errors.ts';
import { dumpPostgres, dumpSqlite, expectFull, fill } from '../support/move.ts';
import { postgres } from '../support/postgres.ts';
import { sqlite } from '../support/sqlite.ts';
import { FIREFOX, link, NOON, type TestDatabase } from '../support/store.ts';
import { folderForEach } from '../support/test-folder.ts';

const folder = folderForEach();
let file: TestDatabase;
let server: TestDatabase;
beforeEach(async () => {
  file = await sqlite.create();
  server = await postgres.create();
});
afterEach(async () => {
  await Promise.all([file.drop(), server.drop()]);
});

const pathOf = (address: string) => address.replace('file:', '');
const moveByCommand = (from: string, to: string) => folder.run(['move', from, to]);
/** Runs a move in this process, which is faster, and returns what the command would return. */
async function outcomeOf(work: (lines: string[]) => Promise<unknown>) {
  const lines: string[] = [];
  try {
    const rows = await work(lines);
    return { code: 0, stdout: rows === null ? 'already moved' : '', stderr: lines.join('\n') };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { code: 1, stdout: '', stderr: [...lines, error.message].join('\n') };
  }
}
const addressOf = (text: string) => readConfig({ TERSE_DATABASE: text }).database;
const move = (from: string, to: string) =>
  outcomeOf((lines) => {
    const addresses = { from: addressOf(from), to: addressOf(to) };
    return moveDatabase({ ...addresses, now: Date.now(), printLine: (line) => lines.push(line) });
  });
const undo = (from: string, to: string) => outcomeOf(() => undoMove({ from: addressOf(from), to: addressOf(to) }));
const filled = async (database: TestDatabase) => {
  const store = await database.open();
  await fill(store);
  await store.close();
  await database.execute(`INSERT INTO counting_rounds (ranges, counted, deleted) VALUES ('[[4,4]]', 5, 0)`);
};
/** SQL that reserves an empty database for a move. */
const RESERVED = `${MIGRATIONS_TABLE} INSERT INTO migrations (id, name, applied_at) VALUES (${MARKS.copying}, '', 0)`;

const back = () => `file:${folder.file('back.db')}`;

const TIMEOUT = 120_000;

describe('a move', { timeout: TIMEOUT }, () => {
  it('copies everything to PostgreSQL and back, and new ids continue after the existing ones', async () => {
    await filled(file);
    const before = dumpSqlite(pathOf(file.address));
    expectFull(before);

    const there = await moveByCommand(file.address, server.address);
    expect(there).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+ rows are equal in both databases/) });
    expect(there.stderr).toContain('links: 10 rows copied');
    expect(await dumpPostgres(server.address)).toEqual(before);

    expect(await move(server.address, back())).toMatchObject({ code: 0 });
    expect(dumpSqlite(pathOf(back()))).toEqual(before);
    expect(await undo(server.address, back())).toMatchObject({ code: 0, stderr: '' });

    const store = await server.open();
    const made = await store.accounts.create('new', NOON);
    expect(made.id).toBe(1 + Math.max(...(before.accounts as { id: string }[]).map(({ id }) => Number(id))));
    await store.close();
  });

  it('continues if it was killed before the schema was complete', async () => {
    await filled(file);
    const before = dumpSqlite(pathOf(file.address));
    await server.execute(toPostgres(RESERVED));
    expect(await move(file.address, server.address)).toMatchObject({ code: 0 });

    const half = new DatabaseSync(pathOf(back()));
    half.exec(RESERVED);
    half.close();
    expect(await move(server.address, back())).toMatchObject({ code: 0 });
    expect(dumpSqlite(pathOf(back()))).toEqual(before);
  });

  it.each(['SQLite', 'PostgreSQL'])('from %s keeps the clicks of a killed process', async (engine) => {
    const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
    const store = await from.open();
    await store.links.create(FIRST_ACCOUNT, link(['clicked']), NOON);
    await store.close();
    const serving = await folder.serve({ TERSE_DATABASE: from.address });
    const headers = { 'User-Agent': FIREFOX };
    for (let times = 0; times < 7; times += 1) {
      await fetch(`${serving.addresses.short}/clicked`, { redirect: 'manual', headers });
    }
    const served = await move(from.address, to.address);
    const owner = engine === 'SQLite' ? /is already served by another process/ : /served.+process \d+ on /;
    expect(served).toMatchObject({ code: 1, stderr: expect.stringMatching(owner) });
    await serving.end('SIGKILL');
    // Moves the time of the last heartbeat into the past.
    if (engine !== 'SQLite') await from.execute('UPDATE serving_processes SET seen_at = 0');

    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });
    const reopened = await to.open();
    await reopened.clicks.count();
    expect(await reopened.links.find(FIRST_ACCOUNT, 'clicked')).toMatchObject({ clicks: 7 });
    await reopened.close();
  });

  it('leaves no visitor data in the source, because no process would delete it later', async () => {
    await filled(file);
    const files = () =>
      readdirSync(dirname(pathOf(file.address))).map((name) => join(dirname(pathOf(file.address)), name));
    const withSalt = () => files().filter((path) => readFileSync(path).includes(Buffer.alloc(16, 9)));
    expect(withSalt()).toEqual([pathOf(file.address)]);
    expect(await move(file.address, server.address)).toMatchObject({ code: 0 });
    expect(withSalt()).toEqual([]);

    expect((await dumpPostgres(server.address)).visitors).not.toEqual([]);
    expect(await move(server.address, back())).toMatchObject({ code: 0 });
    expect(await undo(server.address, back())).toMatchObject({ code: 0, stderr: '' });
    expect(await dumpPostgres(server.address)).toMatchObject({
      visitors: [],
      visitor_days: [],
      waiting_clicks: [{ visitors: null }],
    });
  });
});

it('undoing a move leaves the tables of other programs in the database alone', { timeout: TIMEOUT }, async () => {
  await filled(server);
  await server.execute('CREATE TABLE moved_orders (id INTEGER)');
  expect(await move(server.address, back())).toMatchObject({ code: 0 });
  expect(await undo(server.address, back())).toMatchObject({ code: 0, stderr: '' });
  await server.execute('DROP TABLE moved_orders');
});

describe.each(['SQLite', 'PostgreSQL'])('a database on %s that was moved away', { timeout: TIMEOUT }, (engine) => {
  const MOVED = /^This database was moved to another one/m;

  it('cannot be changed even by programs that had it open, until the move is undone', async () => {
    const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
    await filled(from);
    const suspended = await from.open();
    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });

    await expect(suspended.links.create(FIRST_ACCOUNT, link(['toolate']), NOON)).rejects.toThrow();
    await suspended.close();
    const settings = { TERSE_DATABASE: from.address };
    for (const command of [['serve'], ['keys', 'list'], ['move', from.address, back()]]) {
      const refused = await folder.run(command, settings);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(MOVED) });
    }
    expect(readdirSync(folder.path)).not.toContain('back.db');
    for (const [one, other] of [
      [`file:${folder.file('nowhere.db')}`, to.address],
      [from.address, `file:${folder.file('nowhere.db')}`],
    ] as const) {
      const mistyped = await undo(one, other);
      expect(mistyped).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no database of Terse at /m) });
    }
    expect(await undo(from.address, to.address)).toMatchObject({ code: 0, stderr: '' });
    await expect(to.open()).rejects.toThrow('A move to this database is not finished');
    const store = await from.open();
    expect(await store.links.find(FIRST_ACCOUNT, 'toolate')).toBeNull();
    await store.links.create(FIRST_ACCOUNT, link(['again']), NOON);
    await store.close();
    const again = await undo(from.address, to.address);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/was not moved to another database/) });
  });

  it('stays moved once the new database was used, because its new links would be lost', async () => {
    const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
    await filled(from);
    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });
    const serving = await folder.serve({ TERSE_DATABASE: to.address });
    await serving.end('SIGTERM');
    expect(await undo(from.address, to.address)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^TO was already used after the move/m),
    });
    await expect(from.open()).rejects.toThrow(MOVED);
    await (await to.open()).close();
  });

  it('reports that the same move is finished if it runs again', async () => {
    const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
    await filled(from);
    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });
    // The next run must also repeat what a killed run did not reach: the statistics of the query planner.
    if (to === file) await file.execute('DROP TABLE sqlite_stat1');

    const again = await move(from.address, to.address);
    expect(again).toMatchObject({
      code: 0,
      stdout: 'already moved',
    });
    expect(await folder.run(['keys', 'list'], { TERSE_DATABASE: to.address })).toMatchObject({ code: 0 });
    const refused = await folder.run(['keys', 'list'], { TERSE_DATABASE: from.address });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(MOVED) });
    if (to === file) {
      const copy = new DatabaseSync(pathOf(file.address), { readOnly: true });
      expect(copy.prepare('SELECT * FROM sqlite_stat1').all()).not.toEqual([]);
      copy.close();
    }
  });

  it('does not confirm a move to a database that is missing, empty, another one or moved itself', async () => {
    const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
    await filled(from);
    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });
    const refused = async (target: string) =>
      expect(await move(from.address, target)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(MOVED),
      });
    await refused(back());
    const other = await postgres.create();
    await refused(other.address);
    await expect(other.execute('SELECT 1 FROM migrations')).rejects.toThrow('does not exist');
    await filled(other);
    await refused(other.address);
    await other.drop();

    expect(await move(to.address, back())).toMatchObject({ code: 0 });
    await refused(to.address);
  });

  it('is opened by the next run if the first run was killed after the old database was marked', async () => {
    const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
    await filled(from);
    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });
    await to.execute(`UPDATE migrations SET id = ${MARKS.copying} WHERE id = ${MARKS.movedHere}`);
    await expect(to.open()).rejects.toThrow('is not finished');

    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });
    const store = await to.open();
    expect(await store.links.find(FIRST_ACCOUNT, 'code_x')).not.toBeNull();
    await store.close();
  });

  it('is copied again if the first run was killed before the old database was marked', async () => {
    const [from, to] = engine === 'SQLite' ? [file, server] : [server, file];
    await filled(from);
    expect(await move(from.address, to.address)).toMatchObject({ code: 0 });
    expect(await undo(from.address, to.address)).toMatchObject({ code: 0, stderr: '' });
    await from.execute("UPDATE links SET title = 'changed' WHERE code = 'code_x'");

    expect(await move(from.address, to.address)).toMatchObject({ code: 0, stderr: expect.stringContaining('copied') });
    const store = await to.open();
    expect(await store.links.find(FIRST_ACCOUNT, 'code_x')).toMatchObject({ title: 'changed' });
    await store.close();
  });
});

it('a process that was suspended during the move stops afterwards', async () => {
  await filled(server);
  const store = await server.open();
  const self = { id: 'suspended', name: 'a process' };
  await store.servingProcesses?.touch(self);
  await server.execute('UPDATE serving_processes SET seen_at = 0');
  expect(await move(server.address, file.address)).toMatchObject({ code: 0 });
  await expect(store.servingProcesses?.touch(self)).rejects.toThrow(/^This database was moved to another one/);
  await store.close();
});

describe('a move is refused', { timeout: TIMEOUT }, () => {
  const refused = async (from: string, to: string, why: RegExp) => {
    const { code, stdout, stderr } = await move(from, to);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(why);
  };

  it('if there is no database to move, or one of another program or version', async () => {
    await refused(`file:${folder.file('none.db')}`, server.address, /^There is no database of Terse at /);
    await refused(server.address, back(), /^There is no database of Terse at /);
    await filled(file);
    await file.execute("INSERT INTO migrations (id, name, applied_at) VALUES (9999, 'later', 0)");
    await refused(file.address, server.address, /is at version 9999, newer than this program/);
  });

  it('if the folder is mistyped, without creating anything', async () => {
    await refused(`file:${folder.file('from', 'a.db')}`, `file:${folder.file('to', 'b.db')}`, /^There is no database /);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('while a process writes to the PostgreSQL database and does not end', async () => {
    await filled(server);
    const writer = new Client({ connectionString: server.address });
    await writer.connect();
    await writer.query("BEGIN; UPDATE links SET title = 'changed'");
    await refused(server.address, back(), /^The move was interrupted: .+lock timeout\. Run the same command again/m);
    await writer.end();
    expect(await move(server.address, back())).toMatchObject({ code: 0 });
  });

  it('if the target database is not empty, whatever it contains', async () => {
    await filled(file);
    await filled(server);
    await refused(file.address, server.address, /is not empty: it has a table \w+\./);
    await refused(server.address, file.address, /is not empty/);
  });

  it('if source and target are the same database', async () => {
    await filled(file);
    await refused(file.address, file.address, /^FROM and TO are the same database\./);
    symlinkSync(pathOf(file.address), folder.file('same.db'));
    await refused(file.address, `file:${folder.file('same.db')}`, /already served by another process/);
    await filled(server);
    const byAnotherName = `${server.address}&application_name=other`;
    await refused(server.address, byAnotherName, /^FROM and TO are the same database, or another move/m);
    expect(await folder.run(['keys', 'list'], { TERSE_DATABASE: server.address })).toMatchObject({ code: 0 });
  });

  it('if an address is not supported, and the message does not repeat the address', async () => {
    const { code, stderr } = await moveByCommand('mysql://terse:secret@host/x', server.address);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^FROM must be file:PATH.+\.\n$/)]);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    ['changed', 'UPDATE limit_usage SET used = used + 1 WHERE subject = new.subject', /has another used or is missing/],
    ['missing', 'DELETE FROM limit_usage WHERE subject = new.subject', /has another subject or is missing/],
    ['added', "INSERT OR IGNORE INTO limit_usage VALUES ('~', 0, 0, 0)", /"~" exists only in the new database/],
  ])('if a row of the copy is %s, and the old database still works', async (_, damage, why) => {
    await filled(file);
    const copy = await sqlite.createMigrated();
    // The copy looks like that of an interrupted move, so that it can have a trigger.
    await copy.execute(`INSERT INTO migrations (id, name, applied_at) VALUES (${MARKS.copying}, '', 0)`);
    await copy.execute(`CREATE TRIGGER damage AFTER INSERT ON limit_usage BEGIN ${damage}; END`);
    await refused(file.address, copy.address, why);
    await (await file.open()).close();
    await copy.drop();
  });

  it('if another move to the same target does not end within seconds', async () => {
    await filled(file);
    const other = await openForMove({ engine: 'postgres', url: server.address, connections: 1 });
    await refused(file.address, server.address, /another move is using one of them/);
    const waiting = move(file.address, server.address);
    const locks = () => other.run(sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
    await vi.waitUntil(async () => (await locks()).length > 0);
    await other.close();
    expect(await waiting).toMatchObject({ code: 0 });
  });
});

it('a database with an unfinished move can be opened only by a move', async () => {
  await filled(file);
  mkdirSync(folder.file('half'));
  const half = { address: `file:${folder.file('half', 'terse.db')}` };
  const database = new DatabaseSync(pathOf(half.address));
  database.exec(RESERVED);
  database.close();
  await server.execute(toPostgres(RESERVED));
  for (const { address } of [server, half]) {
    const list = await folder.run(['keys', 'list'], { TERSE_DATABASE: address });
    expect(list).toMatchObject({ code: 1, stderr: expect.stringMatching(/^A move to this database is not finished/) });
  }
});

it('a move locks its PostgreSQL source against writes and against processes that start', async () => {
  await filled(server);
  const source = await openForMove({ engine: 'postgres', url: server.address, connections: 1 });
  await source.lock(['links']);
  const client = new Client({ connectionString: server.address });
  await client.connect();
  await client.query('SET lock_timeout = 50');
  for (const write of [
    "UPDATE links SET title = 'changed'",
    "INSERT INTO serving_processes (id, name, newest_step, seen_at) VALUES ('x', 'x', 99, 0)",
  ]) {
    await expect(client.query(write)).rejects.toThrow(/lock timeout/);
  }
  expect((await client.query('SELECT count(*) FROM links')).rows).toEqual([{ count: '10' }]);
  await client.end();
  await source.close();
});
