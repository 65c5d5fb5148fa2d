import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { makeDatabase } from '../support/process.ts';
import { folderForEach } from '../support/test-folder.ts';

const folder = folderForEach();
beforeEach(() => makeDatabase(folder.path, 'terse.db'));

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
