import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeDatabase, start } from './support/process.ts';
import { laterVersion } from './support/program-changes.ts';
import { post } from './support/service.ts';
import { folderForEach } from './support/test-folder.ts';

const OLD = {};
const NEW = laterVersion('filling');

const LINKS = 150_000;

const folder = folderForEach();

function open(): DatabaseSync {
  return new DatabaseSync(folder.file('data', 'terse.db'), { timeout: 0 });
}

/** Waits until another process is writing to the database. */
async function whenWritten(database: DatabaseSync): Promise<void> {
  for (;;) {
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
    } catch {
      return;
    }
    await sleep(1);
  }
}

it('an upgrade that was killed in the middle loses nothing, and either version can be started', async () => {
  await makeDatabase(folder.path);
  const key = (await folder.run(['keys', 'create', '--name', 'test'])).stdout.trim();
  const database = open();
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${LINKS})
    INSERT INTO links (code, url, account_id, created_at) SELECT 'n' || n, 'https://example.com/' || n, 1, n FROM numbers`);

  const old = await folder.serve(OLD);
  const made: string[] = [];
  const load = async () => {
    for (;;) {
      const body = { url: 'https://example.com/', shortCode: `code${made.length}` };
      const answer = await fetch(`${old.addresses.api}/api/v1/urls`, post(key, body));
      if (answer.ok) made.push(body.shortCode);
    }
  };
  const loaded = load().catch(() => {});
  while (made.length < 10) await sleep(10);
  await old.end('SIGKILL');
  await loaded;

  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { child, exited } = start(folder.path, ['serve'], NEW);
    await whenWritten(database);
    await sleep(10 * attempt);
    child.kill('SIGKILL');
    await exited;
  }
  expect(database.prepare("SELECT 1 FROM pragma_table_info('links') WHERE name = 'later'").get()).toBeUndefined();

  for (const version of [OLD, NEW]) {
    const running = await folder.serve(version);
    for (const code of ['n1', `n${LINKS}`, ...made]) {
      const followed = await fetch(`${running.addresses.short}/${code}`, { redirect: 'manual' });
      expect([code, followed.status]).toEqual([code, 302]);
    }
    expect(await running.end('SIGTERM')).toBe(0);
  }
  expect(database.prepare('SELECT count(*) AS filled FROM links WHERE later > 0').get()?.filled).toBe(
    LINKS + made.length,
  );
  database.close();
}, 120_000);
