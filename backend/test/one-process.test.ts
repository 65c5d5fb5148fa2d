import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { connect } from '../src/store/sqlite/sqlite-database.ts';
import { post, startTestService } from './support/service.ts';
import { folderForEach } from './support/test-folder.ts';

const ANY_PORT = { TERSE_LISTEN: '127.0.0.1:0', TERSE_SHORT_LISTEN: '127.0.0.1:0' };

const folder = folderForEach();

const serveAgain = (environment: Record<string, string> = {}) => folder.run(['serve'], { ...ANY_PORT, ...environment });

describe('a SQLite file', () => {
  it('is served by one process, and a second process fails with an error that says why', async () => {
    const first = await folder.serve();
    const { code, stdout, stderr } = await serveAgain();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The database \S+data\/terse\.db is already served by another process\. .+\.\n$/);
    expect((await fetch(`${first.addresses.api}/readyz`)).status).toBe(200);
    expect((await folder.run(['keys', 'list'])).code).toBe(0);
  });

  it('is recognized through a bind mount of its folder', async () => {
    await folder.serve();
    mkdirSync(folder.file('mount'));
    const mounted = `exec unshare --mount sh -ec 'mount --bind data mount && exec "$@"' sh "$@"`;
    const settings = { ...ANY_PORT, TERSE_DATABASE: 'file:./mount/terse.db' };
    expect((await folder.run(['serve'], settings, 'main.ts', mounted)).stderr).toContain('is already served');
  });

  it.each([
    ['a link to a link to the file', 'other.db'],
    ['a link to a file that does not exist yet', 'later/terse.db'],
  ])('is recognized through %s', async (_, target) => {
    for (const name of ['data', 'later']) mkdirSync(folder.file(name));
    symlinkSync(join('data', 'terse.db'), folder.file('other.db'));
    symlinkSync(target, folder.file('link.db'));
    const first = await folder.serve({ TERSE_DATABASE: `file:./${target}` });
    expect((await serveAgain({ TERSE_DATABASE: 'file:./link.db' })).stderr).toContain('is already served');
    await first.end('SIGTERM');
    await folder.serve({ TERSE_DATABASE: 'file:./link.db' });
    expect((await serveAgain({ TERSE_DATABASE: `file:./${target}` })).stderr).toContain('is already served');
  });

  it('is refused under both names if it has a second hard link', async () => {
    await folder.serve();
    linkSync(folder.file('data', 'terse.db'), folder.file('other.db'));
    const other = { TERSE_DATABASE: 'file:./other.db' };
    const refusals = await Promise.all([
      serveAgain(other),
      serveAgain(),
      folder.run(['keys', 'list'], other),
      folder.run(['backup', 'backup.db'], other),
      folder.run(['move', 'file:./other.db', 'file:./moved.db']),
    ]);
    for (const { code, stdout, stderr } of refusals) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^The database .+\.db has 2 names \(hard links\).+\.\n$/);
    }
    expect(readdirSync(folder.path)).toEqual(['data', 'other.db']);
    rmSync(folder.file('other.db'));
    expect((await folder.run(['keys', 'list'])).code).toBe(0);
  });

  it('can be opened again by a process without losing the locks of that process', async () => {
    const path = folder.file('locked.db');
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN EXCLUSIVE');
    connect(path).close();
    const write = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)}).exec('CREATE TABLE other (id)')`;
    await expect(promisify(execFile)(process.execPath, ['-e', write])).rejects.toThrow('database is locked');
    holder.close();
  });
});

it.each([
  ['TERSE_DATABASE', 'file:./loop.db', /^The database .+loop\.db cannot be opened: .+\.\n$/],
  ['TERSE_DATABASE', 'file:/proc', /^The database \/proc is a folder\. Use a file, such as \/proc\/terse\.db\.\n$/],
])('an unsuitable place for a database is refused as the value of %s', async (name, value, sentence) => {
  symlinkSync('loop.db', folder.file('loop.db'));
  const { code, stderr } = await serveAgain({ [name]: value });
  expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
});

it('the service redirects while another process locks the file, then completes the waiting create requests', async () => {
  const terse = await startTestService({ TERSE_DATABASE: `file:${folder.file('terse.db')}` });
  const key = await terse.newKey({ throttle: 100_000, quota: 100 });
  const create = (shortCode: string) =>
    terse.ask('/api/v1/urls', post(key, { url: 'https://example.com/', shortCode }));
  expect((await create('kept')).status).toBe(201);

  const other = new DatabaseSync(folder.file('terse.db'));
  other.exec('BEGIN IMMEDIATE');
  terse.clock.now += 1;
  let created = 0;
  const creating = create('late').then(({ status }) => {
    created = status;
  });
  for (let at = 0; at < 20; at += 1) expect((await terse.visit('/kept')).status).toBe(302);
  expect((await terse.visit('/late')).status).toBe(404);
  expect(created).toBe(0);
  other.exec('ROLLBACK');
  other.close();
  await creating;
  expect(created).toBe(201);
  expect((await terse.visit('/late')).status).toBe(302);
  await terse.stop();
});
