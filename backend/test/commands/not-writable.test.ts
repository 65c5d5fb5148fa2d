import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDatabase } from '../support/process.ts';
import { folderForEach } from '../support/test-folder.ts';

const isRoot = process.getuid?.() === 0;
/** Removes the right of root to write to all files, so that the permissions of files apply to root too. */
const RESTRICTED = isRoot ? 'exec setpriv --bounding-set -dac_override "$@"' : 'exec "$@"';

const folder = folderForEach();
let data: string;
beforeEach(async () => {
  data = folder.file('data');
  mkdirSync(data);
});
afterEach(() => chmodSync(data, 0o700));

const command = (words: string, database: string) =>
  folder.run(words.split(' '), { TERSE_DATABASE: `file:${database}` }, 'main.ts', RESTRICTED);
const reason = (path: string) => `the user with the ID ${process.getuid?.()} cannot write to the ${path}.\n`;

describe.runIf(process.platform === 'linux')('if this user cannot write', () => {
  it.each([['serve'], ['keys create --name a'], ['accounts setup']])(
    'to the folder of the database, %s names the folder and the user',
    async (words) => {
      await makeDatabase(folder.path);
      chmodSync(data, 0o500);
      const { code, stderr } = await command(words, `${data}/terse.db`);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason(`folder ${data}`))]);
    },
  );

  it.each([['serve'], ['restore backup.db']])(
    'to the folder in which the folder of the database is missing, %s names the folder above',
    async (words) => {
      await makeDatabase(folder.path, 'other/terse.db');
      await command('backup backup.db', `${folder.path}/other/terse.db`);
      chmodSync(data, 0o500);
      const { code, stderr } = await command(words, `${data}/new/terse.db`);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason(`folder ${data}`))]);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    },
  );

  it('to a folder in which no folder can be created, `serve` ends with the reason', async () => {
    const { code, stderr } = await command('serve', '/proc/terse/terse.db');
    expect([code, stderr]).toEqual([1, expect.stringContaining('/proc/terse/terse.db cannot be opened: ')]);
  });

  it.each([[''], ['-wal'], ['-lock']])('to the file terse.db%s, `serve` names the file', async (ending) => {
    await makeDatabase(folder.path);
    const file = `${data}/terse.db${ending}`;
    if (ending !== '') writeFileSync(file, '');
    chmodSync(file, 0o400);
    const { code, stderr } = await command('serve', `${data}/terse.db`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason(`file ${file}`))]);
  });

  it('to the folder of the new file, `backup` names the folder', async () => {
    await makeDatabase(folder.path, 'other/terse.db');
    chmodSync(data, 0o500);
    const { code, stderr } = await command('backup data/backup.db', `${folder.path}/other/terse.db`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason('folder data'))]);
  });
});
