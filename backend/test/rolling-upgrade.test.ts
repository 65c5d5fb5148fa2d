import { setTimeout as sleep } from 'node:timers/promises';
import { Link } from '@terse/contract';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey } from '../src/commands/manage.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { FIRST_ACCOUNT } from '../src/store/sql/account-queries.ts';
import { postgres } from './support/postgres.ts';
import type { ServeProcess } from './support/process.ts';
import { laterVersion, PATIENT_PROCESS } from './support/program-changes.ts';
import { post } from './support/service.ts';
import { type TestDatabase, targetOf } from './support/store.ts';
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
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

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
    const load = await startLoad(() => [one, other]);

    const first = await serve('expanding');
    expect(await steps()).toBe('1001');
    await load.some();
    // A process of the old version that restarts in the meantime continues to serve.
    await load.without(one, async () => {
      await stop(one);
      one = await serve('old');
    });
    await load.some();
    await load.without(one, async () => {
      await stop(one);
      one = first;
    });
    await load.without(other, async () => {
      await stop(other);
      other = await serve('expanding');
    });
    await load.some();
    const { codes, clicks, failures } = await load.end();
    expect(failures).toEqual([]);
    await Promise.all([stop(one), stop(other)]);

    const index = await ask("SELECT indisvalid FROM pg_index WHERE indexrelid = 'links_by_url'::regclass");
    expect(index).toEqual([{ indisvalid: true }]);
    const store = await database.open();
    // The last clicks are stored, but no process has counted them.
    await store.clicks.count();
    for (const code of codes) expect(await targetOf(store, code)).not.toBeNull();
    expect(await store.links.find(FIRST_ACCOUNT, 'n1')).toMatchObject({ clicks });
    await store.close();
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

/** Continuously creates links and follows one of them, through all running processes. */
async function startLoad(processes: () => ServeProcess[]) {
  const store = await database.open();
  const key = await createKey(store, systemRandom, { name: 'load', throttle: 100_000, quota: 1_000_000 }, Date.now());
  await store.close();
  const codes: string[] = [];
  const failures: unknown[] = [];
  let clicks = 0;
  let isOver = false;
  let leaving: ServeProcess | null = null;
  const busy = new Map<ServeProcess, number>();

  async function once({ addresses }: ServeProcess): Promise<void> {
    const made = await fetch(`${addresses.api}/api/v1/urls`, post(key, { url: 'https://example.com/made' }));
    if (made.status === 201) codes.push(Link.parse(await made.json()).shortCode);
    else failures.push(await made.text());
    const visit = { redirect: 'manual', headers: { 'User-Agent': BROWSER } } as const;
    const followed = await fetch(`${addresses.short}/n1`, visit);
    if (followed.status === 302) clicks += 1;
    else failures.push(followed.status);
  }

  /** Stops sending requests to a process that is about to stop, as a proxy does. */
  async function client(at: number): Promise<void> {
    for (let round = at; !isOver; round += 1) {
      const choice = processes().filter((process) => process !== leaving);
      const serving = choice[round % choice.length] as ServeProcess;
      busy.set(serving, (busy.get(serving) ?? 0) + 1);
      await once(serving).catch((error) => failures.push(error));
      busy.set(serving, (busy.get(serving) ?? 0) - 1);
    }
  }
  const clients = [0, 1, 2].map(client);

  return {
    async some() {
      const enough = codes.length + 20;
      while (codes.length < enough && failures.length === 0) await sleep(10);
    },
    async without(process: ServeProcess, work: () => Promise<void>) {
      leaving = process;
      while ((busy.get(process) ?? 0) > 0) await sleep(5);
      await work();
      leaving = null;
    },
    async end() {
      isOver = true;
      await Promise.all(clients);
      return { codes, clicks, failures };
    },
  };
}
