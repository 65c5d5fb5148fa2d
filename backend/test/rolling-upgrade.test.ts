import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkHistory } from '../../scripts/check-request-history.ts';
import { chanceFrom } from '../../scripts/torture/random-choices.ts';
import { type Entrance, startClients } from '../../scripts/torture/service-faults/clients.ts';
import { History } from '../../scripts/torture/service-faults/history.ts';
import { createKey } from '../src/commands/manage.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { FIRST_ACCOUNT } from '../src/store/sql/account-queries.ts';
import { postgres } from './support/postgres.ts';
import { makeDatabase, type ServeProcess, start } from './support/process.ts';
import { laterVersion, PATIENT_PROCESS } from './support/program-changes.ts';
import type { TestDatabase } from './support/store.ts';
import { folderForEach } from './support/test-folder.ts';

/** Versions of the service with different migrations. They run as real processes. */
const VERSIONS = {
  old: PATIENT_PROCESS,
  /** Also adds a domain. */
  expanding: {
    ...PATIENT_PROCESS,
    ...laterVersion('expanding'),
    TERSE_SHORT_BASE_URL: 'http://127.0.0.1,https://go.example',
  },
  contracting: { ...PATIENT_PROCESS, ...laterVersion('contracting') },
};

const LINKS = 30_000;
const TIMEOUT = 120_000;

const folder = folderForEach();
let database: TestDatabase;
beforeEach(async () => {
  database = await postgres.create();
});
afterEach(async () => {
  await database.drop();
});

const settings = (version: keyof typeof VERSIONS) => ({ ...VERSIONS[version], TERSE_DATABASE: database.address });
const serve = (version: keyof typeof VERSIONS) => folder.serve(settings(version));
const stop = async (serving: ServeProcess) => expect(await serving.end('SIGTERM')).toBe(0);
const command = (version: keyof typeof VERSIONS) => folder.run(['keys', 'list'], settings(version));

async function ask<Row extends object>(question: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.address });
  await client.connect();
  return client
    .query<Row>(question)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const steps = async () => (await ask<{ id: string }>('SELECT max(id) AS id FROM migrations'))[0]?.id;

describe('an upgrade on PostgreSQL', { timeout: TIMEOUT }, () => {
  it('proceeds process by process under load, answers every request and loses nothing', async () => {
    let [one, other] = [await serve('old'), await serve('old')];
    await database.execute(
      `INSERT INTO links (code, url, account_id, created_at)
       SELECT 'n' || n, 'https://example.com/' || n, 1, n FROM generate_series(1, ${LINKS}) AS n`,
    );
    await database.execute(
      'INSERT INTO click_totals (link_id, account_id, clicks) SELECT id, account_id, 0 FROM links',
    );
    const store = await database.open();
    const limits = { throttle: 100_000, quota: 1_000_000 };
    const key = await createKey(store, systemRandom, { name: 'load', ...limits }, Date.now());
    const chance = chanceFrom(9);
    const history = new History(null, { service: 'upgrade', seed: 9, quotas: { load: limits.quota } });
    const entrances: [Entrance, ...Entrance[]] = [one.addresses, other.addresses];
    const load = startClients(entrances, { load: key }, history, chance);
    const some = async () => {
      const enough = load.created() + 20;
      await expect.poll(load.created).toBeGreaterThan(enough);
    };
    /** Stops a process to which the clients send no more requests, as a proxy does, and replaces it. */
    const replace = async (at: number, next: () => Promise<ServeProcess>) => {
      const old = [one, other][at] as ServeProcess;
      entrances[at] = [one, other][1 - at]?.addresses as Entrance;
      await some();
      await stop(old);
      const replacing = await next();
      entrances[at] = replacing.addresses;
      return replacing;
    };

    const first = await serve('expanding');
    expect(await steps()).toBe('1001');
    await some();
    // A process of the old version that restarts in the meantime continues to serve.
    one = await replace(0, () => serve('old'));
    await some();
    one = await replace(0, async () => first);
    other = await replace(1, () => serve('expanding'));
    await some();
    await load.stop();
    await Promise.all([stop(one), stop(other)]);

    const index = await ask("SELECT indisvalid FROM pg_index WHERE indexrelid = 'links_by_url'::regclass");
    expect(index).toEqual([{ indisvalid: true }]);
    // The last clicks are stored, but no process has counted them.
    await store.clicks.count();
    const made = (await store.links.list(FIRST_ACCOUNT, null, 1_000_000)).filter(({ code }) => !/^n\d+$/.test(code));
    const links = made.map(({ code, url, clicks }) => ({ code, url, clicks }));
    await history.call({ client: 'reader', type: 'read' }, async () => ({ event: 'ok', links }));
    await store.close();
    const calls = history.end();
    expect(checkHistory(calls).violations).toEqual([]);
    // On a slow machine, clients may give up waiting. The service itself refuses no request.
    expect(calls).not.toMatch(/"event":"(fail|unknown)".*"status"/);
  });

  it('is refused if it would remove something that a running process needs, and names the process', async () => {
    const old = await serve('old');
    const refused = await command('contracting');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      new RegExp(
        `^The database cannot be upgraded to version 1002 while it is served by process ${old.child.pid} on .+, last heartbeat `,
      ),
    );
    // The new version applied only the migrations that the old version supports.
    expect(await steps()).toBe('1001');
    await stop(old);
    expect((await command('contracting')).code).toBe(0);
    expect(await steps()).toBe('1002');
    expect(await command('old')).toMatchObject({ code: 1, stderr: expect.stringContaining('newer than this program') });
    expect((await command('expanding')).code).toBe(0);
  });

  it('ends a process that was suspended while something that it needs was removed', async () => {
    const old = await serve('old');
    old.child.kill('SIGSTOP');
    await database.execute('UPDATE serving_processes SET seen_at = 0');
    expect((await command('contracting')).code).toBe(0);
    old.child.kill('SIGCONT');
    expect(await old.ended).toEqual([1, null]);
    expect(old.stderr()).toContain('newer than this program');
  });
});

const OLD = {};
const NEW = laterVersion('filling');

const MANY_LINKS = 60_000;

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
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY_LINKS})
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
    for (const code of ['n1', `n${MANY_LINKS}`]) {
      const followed = await fetch(`${running.addresses.short}/${code}`, { redirect: 'manual' });
      expect([code, followed.status]).toEqual([code, 302]);
    }
    expect(await running.end('SIGTERM')).toBe(0);
  }
  expect(database.prepare('SELECT count(*) AS filled FROM links WHERE later > 0').get()?.filled).toBe(MANY_LINKS);
  database.close();
}, 120_000);
