import { readdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { postgres } from '../support/postgres.ts';
import { makeDatabase } from '../support/process.ts';
import { link, NOON } from '../support/store.ts';
import { folderForEach } from '../support/test-folder.ts';

const folder = folderForEach();

const COMMANDS = [
  ['keys', 'create', '--name', 'a'],
  ['keys', 'list'],
  ['keys', 'revoke', '1'],
  ['accounts', 'setup'],
  ['accounts', 'create', '--name', 'a'],
  ['accounts', 'reset', '1'],
  ['accounts', 'list'],
  ['accounts', 'disable', '2'],
  ['accounts', 'enable', '2'],
  ['accounts', 'delete', '2'],
  ['links', 'delete', 'code'],
  ['backup', 'backup.db'],
  ['move', '--undo', 'file:./data/terse.db', 'file:./other.db'],
];

it.each(COMMANDS.map((command) => [command]))('without a database, %j fails and creates none', async (command) => {
  const outcome = await folder.run(command);
  expect(outcome).toMatchObject({ code: 1, stdout: '', database: folder.file('data', 'terse.db') });
  expect(outcome.stderr).toMatch(/^There is no database .+\.\n$/);
  expect(readdirSync(folder.path)).toEqual([]);
});

it('a command without a database says how to select or create one', async () => {
  expect((await folder.run(['keys', 'list'])).stderr).toBe(
    `There is no database of Terse at ${folder.path}/data/terse.db. If your database is elsewhere, set TERSE_DATABASE to the same value as for the service. To create a new database, run "serve".\n`,
  );
});

it('a command refuses a database file without tables, and does not change the file', async () => {
  writeFileSync(folder.file('empty.db'), '');
  const outcome = await folder.run(['keys', 'list'], { TERSE_DATABASE: 'file:empty.db' });
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no database of Terse at /) });
  expect(readdirSync(folder.path)).toEqual(['empty.db']);
});

it('a command refuses a folder as its database, and suggests a file in it', async () => {
  const outcome = await folder.run(['keys', 'list'], { TERSE_DATABASE: 'file:.' });
  expect(outcome).toMatchObject({ code: 1, stderr: 'The database . is a folder. Use a file, such as terse.db.\n' });
});

it('a command prints which database it used', async () => {
  await makeDatabase(folder.path);
  expect(await folder.run(['keys', 'list'])).toMatchObject({ code: 0, database: folder.file('data', 'terse.db') });
  const elsewhere = { TERSE_DATABASE: 'file:./restored.db' };
  await folder.run(['backup', 'backup.db']);
  expect(await folder.run(['restore', 'backup.db'], elsewhere)).toMatchObject({
    code: 0,
    database: folder.file('restored.db'),
  });
});

it('a command refuses a PostgreSQL database without tables, and prints its address without the password', async () => {
  const empty = await postgres.create();
  try {
    const address = `${empty.address}&password=secret`;
    const outcome = await folder.run(['keys', 'list'], { TERSE_DATABASE: address });
    expect(outcome).toMatchObject({ code: 1, database: `${empty.address}&` });
    expect(outcome.stderr).toMatch(/^There is no database of Terse at .+\.\n$/);
    expect(outcome.stderr).not.toContain('secret');
    expect((await folder.run(['keys', 'list'], { TERSE_DATABASE: address })).code).toBe(1);
  } finally {
    await empty.drop();
  }
});

it('links delete finds a code in any case if codes ignore case', async () => {
  const database = { engine: 'sqlite', path: folder.file('folded.db') } as const;
  const store = await openStore(database, NOON, null, true);
  await store.links.create(FIRST_ACCOUNT, link(['promo']), NOON);
  await store.close();
  const settings = { TERSE_DATABASE: `file:${database.path}`, TERSE_CASE_INSENSITIVE_CODES: 'true' };
  expect(await folder.run(['links', 'delete', 'Promo'], settings)).toMatchObject({ code: 0 });
  const after = await openStore(database, NOON);
  expect(await after.links.resolve('promo')).toMatchObject({ deletedAt: expect.any(Number) });
  await after.close();
});
