import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Link, ShortenAnswer } from '@terse/contract';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { backUp } from '../src/commands/backup-and-restore.ts';
import { addAndCount, click, countsOf } from './support/clicks.ts';
import { awayFromMidnight } from './support/clock.ts';
import { postgres } from './support/postgres.ts';
import { providePostgres } from './support/postgres-server.ts';
import { makeDatabase, type Outcome, type ServeProcess, start } from './support/process.ts';
import { provideProgram } from './support/program.ts';
import { laterVersion } from './support/program-changes.ts';
import { post } from './support/service.ts';
import { LOCK_PATIENCE } from './support/sqlite.ts';
import { FIREFOX, link, makeKey, submission, type TestDatabase, targetOf } from './support/store.ts';
import { folderForEach } from './support/test-folder.ts';

const FAST = { TERSE_THROTTLE: '100000', TERSE_DAILY_QUOTA: '999999999' };

const folder = folderForEach();

const serve = (environment: Record<string, string> = {}) => folder.serve({ ...FAST, ...environment });
const at = (name: string) => ({ TERSE_DATABASE: `file:${name}/terse.db` });
const command: typeof folder.run = (...command) => folder.run(...command);
const newKey = async () => (await command(['keys', 'create', '--name', 'a'])).stdout.trim();

async function visitorsIn({ address }: TestDatabase): Promise<unknown[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  const days = ['visitor_days', 'visitors', 'waiting_clicks'].map((table) => `SELECT day FROM ${table}`);
  const { rows } = await client.query(days.join(' UNION ALL ')).finally(() => client.end());
  return rows;
}

/** Runs the shell command that the error message ends with. */
async function runPrinted({ stderr }: Outcome): Promise<void> {
  const [, tool = ''] = /its own tool: (.+)\.\n$/.exec(stderr) ?? [];
  const PATH = providePostgres(() => {});
  execFileSync('sh', ['-c', tool], { cwd: folder.path, env: { PATH: `${PATH}:/usr/bin:/bin` } });
}

async function shorten(service: ServeProcess, key: string, url: string): Promise<string> {
  const answer = await fetch(`${service.addresses.api}/api/shorten`, post(key, { url }));
  return new URL(ShortenAnswer.parse(await answer.json()).shortUrl).pathname;
}

async function visit(service: ServeProcess, path: string): Promise<string | null> {
  const options = { redirect: 'manual', headers: { 'User-Agent': FIREFOX } } as const;
  return (await fetch(service.addresses.short + path, options)).headers.get('location');
}

describe('a backup', () => {
  it('contains every click and link that was confirmed before the backup started, and can be served elsewhere', async () => {
    const first = await serve();
    const key = await newKey();
    const clicked = await shorten(first, key, 'https://example.com/clicked');
    const made = new Map<string, string>();
    let clicks = 0;
    let going = true;
    const load = [0, 1, 2, 3].map(async (worker) => {
      for (let index = 0; going; index += 1) {
        const url = `https://example.com/${worker}/${index}`;
        made.set(await shorten(first, key, url), url);
        await visit(first, clicked);
        clicks += 1;
      }
    });
    const enough = async () => {
      while (made.size < 200) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await Promise.race([enough(), ...load]);

    const before = { made: new Map(made), clicks };
    expect(await command(['backup', 'backup.db'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const during = made.size - before.made.size;
    going = false;
    await Promise.all(load);
    expect(during).toBeGreaterThan(0);
    await first.end('SIGKILL');
    // The backup is a single file, which only its owner can read. It contains the counts of the clicks that waited.
    expect(readdirSync(folder.path).sort()).toEqual(['backup.db', 'data']);
    expect(statSync(folder.file('backup.db')).mode & 0o777).toBe(0o600);
    const copy = new DatabaseSync(folder.file('backup.db'), { readOnly: true });
    expect(copy.prepare('SELECT * FROM waiting_clicks').all()).toEqual([]);
    copy.close();

    expect(await command(['restore', 'backup.db'], at('elsewhere'))).toMatchObject({ code: 0, stderr: '' });
    const second = await serve(at('elsewhere'));
    for (const [path, url] of before.made) expect(await visit(second, path)).toBe(url);
    const clicksOf = async (path: string) => {
      const read = await fetch(`${second.addresses.api}/api/v1/urls${path}`, { headers: { 'X-API-Key': key } });
      return Link.parse(await read.json()).clicks;
    };
    const counted = await clicksOf(clicked);
    expect(counted).toBeGreaterThanOrEqual(before.clicks);
    expect(counted).toBeLessThanOrEqual(clicks);
    // The restored backup is older than these links. They get no clicks of links that the backup does not contain.
    const fresh = await Promise.all(Array.from({ length: 9 }, () => shorten(second, key, 'https://example.com/new')));
    await visit(second, clicked);
    await expect.poll(() => clicksOf(clicked), { interval: 500 }).toBe(counted + 1);
    for (const path of fresh) expect(await clicksOf(path)).toBe(0);
  });

  it('contains no visitor hashes', async () => {
    await awayFromMidnight();
    const service = await serve();
    const key = await newKey();
    const path = await shorten(service, key, 'https://example.com/');
    await visit(service, path);
    const original = new DatabaseSync(folder.file('data', 'terse.db'), { timeout: LOCK_PATIENCE });
    const count = (database: DatabaseSync, table: string) =>
      database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows;
    while (count(original, 'visitors') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const salt = Buffer.from(original.prepare('SELECT salt FROM visitor_days').get()?.salt as Uint8Array);
    original.close();
    await visit(service, path);
    expect((await command(['backup', 'backup.db'])).code).toBe(0);

    const copy = new DatabaseSync(folder.file('backup.db'));
    expect([count(copy, 'visitors'), count(copy, 'visitor_days'), count(copy, 'click_days')]).toEqual([0, 0, 1]);
    copy.close();
    expect(readFileSync(folder.file('backup.db')).includes(salt)).toBe(false);
    const files = ['terse.db', 'terse.db-wal'].map((name) => readFileSync(folder.file('data', name)));
    expect(Buffer.concat(files).includes(salt)).toBe(true);
    await service.end('SIGTERM');
  });

  it('leaves a folder if it is killed, which backups delete a day later', async () => {
    const first = await serve();
    const key = await newKey();
    const path = await shorten(first, key, 'https://example.com/');
    await visit(first, path);
    // The copy must be slow enough for the test to kill it, so the database is large.
    const database = new DatabaseSync(folder.file('data', 'terse.db'), { timeout: LOCK_PATIENCE });
    database.exec('CREATE TABLE ballast AS SELECT randomblob(100000000) AS bytes');
    database.close();
    const left = () => readdirSync(folder.path).filter((name) => name.startsWith('.'));
    const isBegun = () => left().length === 1 && left().every((name) => name.startsWith('.terse-'));
    const killBackup = async () => {
      do {
        rmSync(folder.file('backup.db'), { force: true });
        const { child, exited } = start(folder.path, ['backup', 'backup.db']);
        while (child.exitCode === null && !isBegun()) await new Promise((resolve) => setTimeout(resolve, 1));
        child.kill('SIGKILL');
        await exited;
        // On a fast machine, the backup may end before the test kills it. The test then starts another backup.
      } while (!isBegun());
    };
    await killBackup();
    expect(existsSync(folder.file('backup.db'))).toBe(false);
    const abandoned = left();
    expect((await command(['backup', 'backup.db'])).code).toBe(0);
    // Another backup could still be using a folder of today.
    expect(left()).toEqual(abandoned);
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    for (const name of abandoned) utimesSync(folder.file(name), twoDaysAgo, twoDaysAgo);

    await first.end('SIGTERM');
    await command(['backup', 'again.db']);
    expect(left()).toEqual([]);
    await command(['restore', 'again.db'], at('elsewhere'));
    const third = await serve(at('elsewhere'));
    const read = await fetch(`${third.addresses.api}/api/v1/urls${path}`, { headers: { 'X-API-Key': key } });
    expect(Link.parse(await read.json()).clicks).toBe(1);
  });

  it('leaves an empty file if it is killed before its last step, which the next backup replaces', async () => {
    await makeDatabase(folder.path);
    const killedInRename = `${provideProgram('strace')} -f -o /dev/null -e inject=rename:error=EIO:signal=KILL "$@"`;
    await folder.run(['backup', 'backup.db'], {}, 'main.ts', killedInRename);
    expect(statSync(folder.file('backup.db')).size).toBe(0);
    const empty = await command(['restore', 'backup.db'], at('new'));
    expect([empty.code, empty.stderr]).toEqual([1, 'backup.db is not a backup of Terse.\n']);

    expect(await command(['backup', 'backup.db'])).toMatchObject({ code: 0, stderr: '' });
    await folder.run(['restore', 'backup.db'], at('new'), 'main.ts', killedInRename);
    expect(statSync(folder.file('new', 'terse.db')).size).toBe(0);
    expect(await command(['restore', 'backup.db'], at('new'))).toMatchObject({ code: 0, stderr: '' });
    expect(await command(['keys', 'list'], at('new'))).toMatchObject({ code: 0, stderr: '' });
  });

  it('overwrites no empty file that another process fills during the backup', async () => {
    await makeDatabase(folder.path);
    const file = openSync(folder.file('precious.db'), 'w');
    const database = { engine: 'sqlite', path: folder.file('data', 'terse.db') } as const;
    const backup = backUp({ database }, folder.file('precious.db'), Date.now());
    writeSync(file, 'precious');
    closeSync(file);
    await expect(backup).rejects.toThrow('precious.db already exists. It is not overwritten.');
    expect(readFileSync(folder.file('precious.db'), 'utf8')).toBe('precious');
  });

  it('overwrites no existing file', async () => {
    await makeDatabase(folder.path);
    writeFileSync(folder.file('precious.db'), 'precious');
    const { code, stderr } = await command(['backup', 'precious.db']);
    expect([code, stderr]).toEqual([1, 'precious.db already exists. It is not overwritten.\n']);
    expect(readFileSync(folder.file('precious.db'), 'utf8')).toBe('precious');
  });

  it.each([
    ['there is no database', ['backup', 'b.db'], /^There is no database \.\/data\/terse\.db\.\n$/],
    ['its folder does not exist', ['backup', 'no/where/b.db'], /^No file can be created in no\/where: ENOENT/],
  ])('reports that %s', async (_, args, sentence) => {
    if (args[1]?.includes('/')) await makeDatabase(folder.path);
    const { code, stderr } = await command(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(existsSync(folder.file('b.db'))).toBe(false);
  });

  it.each([
    ['postgres://me:secret@db.example/terse', 'postgres://me@db.example/terse'],
    ['postgres://me:se%2Fc@secret@/terse?host=/run/pg', 'postgres://me@/terse?host=/run/pg'],
    ['postgres://me@db.example/terse?password=secret&x=1', 'postgres://me@db.example/terse?x=1'],
  ])('prints the command for PostgreSQL without the password', async (address, shown) => {
    const { code, stderr } = await command(['backup', 'b.dump'], { TERSE_DATABASE: address });
    expect(code).toBe(1);
    expect(stderr).toMatch(/its own tool: pg_dump .+\.\n$/);
    expect(stderr).toContain(` --file='b.dump' '${shown}'`);
    expect(stderr).not.toContain('secret');
  });

  it('of PostgreSQL can be made and restored with the printed commands', async () => {
    const [from, to] = [await postgres.create(), await postgres.create()];
    const store = await from.open();
    await store.createRequests.submit(submission(await makeKey(store), { links: [link(['kept'])] }));
    await store.close();
    await from.execute("INSERT INTO visitor_days (day, salt) VALUES (7, 'salt')");
    await from.execute('INSERT INTO visitors (day, link_id, hash) VALUES (7, 1, 9)');
    await from.execute("INSERT INTO waiting_clicks (day, size, clicks, visitors) VALUES (7, 1, '[]', '[9]')");

    // A count that was interrupted after its only click. Its batch of clicks is missing in the backup.
    await from.execute("INSERT INTO counting_rounds (ranges, counted, deleted) VALUES ('[[1,1]]', 1, 0)");

    const printed = await command(['backup', 'b.dump'], { TERSE_DATABASE: from.address });
    await runPrinted(printed);
    const excluded = (text: string) => text.match(/--exclude-table-data=\S+/g);
    expect(excluded(readFileSync(new URL('../../docs/self-hosting.md', import.meta.url), 'utf8'))).toEqual(
      excluded(printed.stderr),
    );
    await runPrinted(await command(['restore', 'b.dump'], { TERSE_DATABASE: to.address }));
    const restored = await to.open();
    const kept = await targetOf(restored, 'kept');
    expect(kept).toMatchObject({ url: 'https://example.com/' });
    // The interrupted count must neither skip nor repeat the first clicks after the restore.
    await addAndCount(restored, [click(kept?.id ?? 0)]);
    expect(await countsOf(restored, kept?.id ?? 0)).toMatchObject({ clicks: 1 });
    await restored.close();
    // A backup must not contain visitor hashes, because the service has to delete them after one day.
    expect([await visitorsIn(from), await visitorsIn(to)]).toMatchObject([{ length: 3 }, []]);
    for (const database of [from, to]) await database.drop();
  });

  it('is refused for a database of another version', async () => {
    await makeDatabase(folder.path);
    const { code, stderr } = await command(['backup', 'b.db'], laterVersion('expanding'));
    expect(code).toBe(1);
    expect(stderr).toContain('Back it up with the version that serves it.');
  });
});

describe('a restore', () => {
  it.each([0o644, 0o400])('of a file with the mode %o creates a database that only its owner can use', async (mode) => {
    await makeDatabase(folder.path);
    await command(['backup', 'backup.db']);
    chmodSync(folder.file('backup.db'), mode);
    expect(await command(['restore', 'backup.db'], at('new'))).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(folder.file('new', 'terse.db')).mode & 0o777).toBe(0o600);
  });

  it('does not overwrite a database or its files', async () => {
    await makeDatabase(folder.path);
    await command(['backup', 'backup.db']);
    const taken = await command(['restore', 'backup.db']);
    expect([taken.code, taken.stderr]).toEqual([1, './data/terse.db already exists. It is not overwritten.\n']);

    mkdirSync(folder.file('other'));
    writeFileSync(folder.file('other', 'terse.db-wal'), '');
    const left = await command(['restore', 'backup.db'], at('other'));
    expect(left.stderr).toBe('other/terse.db-wal belongs to another database. Move it to another folder first.\n');
  });

  it.each([
    ['does not exist', null, /^There is no file backup\.db\.$/m],
    ['is not a database', 'x'.repeat(5000), /^backup\.db cannot be read: file is not a database\.$/m],
    ['is empty', '', /^backup\.db is not a backup of Terse\.$/m],
  ])('is refused if the file %s', async (_, content, sentence) => {
    if (content !== null) writeFileSync(folder.file('backup.db'), content);
    const { code, stderr } = await command(['restore', 'backup.db']);
    expect(code).toBe(1);
    expect(stderr).toMatch(sentence);
    expect(existsSync(folder.file('data', 'terse.db'))).toBe(false);
  });

  it('is refused if the backup is damaged', async () => {
    await makeDatabase(folder.path);
    await command(['backup', 'backup.db']);
    const bytes = readFileSync(folder.file('backup.db'));
    bytes.fill(0xff, 4096 * 3);
    writeFileSync(folder.file('backup.db'), bytes);
    const { code, stderr } = await command(['restore', 'backup.db'], at('new'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/damaged|malformed/);
    expect(existsSync(folder.file('new', 'terse.db'))).toBe(false);
  });
});
