import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeDatabase, start } from './support/process.ts';
import { laterVersion } from './support/program-changes.ts';
import { folderForEach } from './support/test-folder.ts';

const OLD = {};
const NEW = laterVersion('filling');

const LINKS = 60_000;

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
  const database = open();
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${LINKS})
    INSERT INTO links (code, url, account_id, created_at) SELECT 'n' || n, 'https://example.com/' || n, 1, n FROM numbers`);

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
    for (const code of ['n1', `n${LINKS}`]) {
      const followed = await fetch(`${running.addresses.short}/${code}`, { redirect: 'manual' });
      expect([code, followed.status]).toEqual([code, 302]);
    }
    expect(await running.end('SIGTERM')).toBe(0);
  }
  expect(database.prepare('SELECT count(*) AS filled FROM links WHERE later > 0').get()?.filled).toBe(LINKS);
  database.close();
}, 120_000);
