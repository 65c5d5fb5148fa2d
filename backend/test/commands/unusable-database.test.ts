import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

const isRoot = process.getuid?.() === 0;
/** Removes the right of root to write to all files, so that the permissions of files apply to root too. */
const RESTRICTED = isRoot ? 'exec setpriv --bounding-set -dac_override "$@"' : 'exec "$@"';

const restricted = (words: string, database: string) =>
  folder.run(words.split(' '), { TERSE_DATABASE: `file:${database}` }, 'main.ts', RESTRICTED);
const reason = (path: string) => `the user with the ID ${process.getuid?.()} cannot write to the ${path}.\n`;

describe.runIf(process.platform === 'linux')('if this user cannot write', () => {
  let data: string;
  beforeEach(() => {
    data = folder.file('data');
    mkdirSync(data);
  });
  afterEach(() => chmodSync(data, 0o700));

  it.each([['serve'], ['keys create --name a'], ['accounts setup']])(
    'to the folder of the database, %s names the folder and the user',
    async (words) => {
      await makeDatabase(folder.path);
      chmodSync(data, 0o500);
      const { code, stderr } = await restricted(words, `${data}/terse.db`);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason(`folder ${data}`))]);
    },
  );

  it.each([['serve'], ['restore backup.db']])(
    'to the folder in which the folder of the database is missing, %s names the folder above',
    async (words) => {
      await makeDatabase(folder.path, 'other/terse.db');
      await restricted('backup backup.db', `${folder.path}/other/terse.db`);
      chmodSync(data, 0o500);
      const { code, stderr } = await restricted(words, `${data}/new/terse.db`);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason(`folder ${data}`))]);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    },
  );

  it('to a folder in which no folder can be created, `serve` ends with the reason', async () => {
    const { code, stderr } = await restricted('serve', '/proc/terse/terse.db');
    expect([code, stderr]).toEqual([1, expect.stringContaining('/proc/terse/terse.db cannot be opened: ')]);
  });

  it.each([[''], ['-wal'], ['-lock']])('to the file terse.db%s, `serve` names the file', async (ending) => {
    await makeDatabase(folder.path);
    const file = `${data}/terse.db${ending}`;
    if (ending !== '') writeFileSync(file, '');
    chmodSync(file, 0o400);
    const { code, stderr } = await restricted('serve', `${data}/terse.db`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason(`file ${file}`))]);
  });

  it('to the folder of the new file, `backup` names the folder', async () => {
    await makeDatabase(folder.path, 'other/terse.db');
    chmodSync(data, 0o500);
    const { code, stderr } = await restricted('backup data/backup.db', `${folder.path}/other/terse.db`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason('folder data'))]);
  });
});

const command = (args: string[], shell?: string, database = 'terse.db') =>
  folder.run(args, { TERSE_DATABASE: `file:./${database}` }, 'main.ts', shell);

/** Limits the size of new files, in blocks of 512 bytes. This simulates a full disk. Larger files stay readable. */
const limited = (blocks: number) => `ulimit -f ${blocks} && exec "$@"`;

/** Adds bytes to the database. Later writes follow these bytes while the returned connection is open. */
function fill(bytes: number): DatabaseSync {
  const database = new DatabaseSync(folder.file('terse.db'));
  database.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (bytes BLOB)');
  database.prepare('INSERT INTO filler VALUES (zeroblob(?))').run(bytes);
  return database;
}

describe('on a full disk', () => {
  beforeEach(() => makeDatabase(folder.path, 'terse.db'));

  it('a command reports that it could not write to the database', async () => {
    await command(['keys', 'create', '--name', 'first']);
    const open = fill(200_000);
    const refused = await command(['keys', 'create', '--name', 'second'], limited(200));
    open.close();
    const stderr = 'The database is unavailable: disk I/O error.\n';
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr });
    expect((await command(['keys', 'list'])).stdout).not.toContain('second');
  });

  it('a backup that cannot begin leaves no file of its own behind', async () => {
    await command(['keys', 'create', '--name', 'first']);
    const refused = await command(['backup', 'backup.db'], limited(0));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe('./terse.db cannot be read: disk I/O error.\n');
    expect(readdirSync(folder.path).filter((name) => !name.startsWith('terse.db'))).toEqual([]);
  });

  it('backup and restore report that the disk has no space for the new file', async () => {
    await command(['keys', 'create', '--name', 'first']);
    fill(200_000).close();
    const uncopied = await command(['backup', 'backup.db'], limited(200));
    expect(uncopied).toMatchObject({ code: 1, stderr: 'The database ./terse.db cannot be copied: disk I/O error.\n' });

    await command(['backup', 'backup.db']);
    const before = readdirSync(folder.path);
    const unwritten = await command(['restore', 'backup.db'], limited(200), 'new.db');
    expect(unwritten.code).toBe(1);
    expect(unwritten.stderr).toMatch(/^\.\/new\.db cannot be written: EFBIG: .+\.\n$/);
    expect(readdirSync(folder.path)).toEqual(before);
  });

  it('a command reports that its output could not be written', async () => {
    const refused = await command(['--version'], `${limited(0)} > version.txt`);
    const stderr = 'The output of this command cannot be written: EFBIG: file too large, write.\n';
    expect(refused).toEqual({ code: 1, stdout: '', stderr });
  });

  it('a command completes if only its error output cannot be written', async () => {
    const made = await command(['keys', 'create', '--name', 'laptop'], 'exec "$@" 2> /dev/full');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^terse_/), stderr: '' });
  });
});
