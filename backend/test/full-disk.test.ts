import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setupLink } from '../src/commands/account-commands.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { openStore } from '../src/store/open-store.ts';
import { makeDisk } from './support/mounts.ts';
import { type ServeProcess, startServe } from './support/process.ts';
import { link, makeKey, NOON, submission } from './support/store.ts';
import { PASSWORD, visit } from './support/visitor.ts';

let folder: string;
let serving: ServeProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terse-full-disk-'));
});
afterEach(async () => {
  if (serving?.child.exitCode === null) await serving.end('SIGKILL');
  serving = null;
  rmSync(folder, { recursive: true });
});

describe('a full disk', () => {
  it('is the reason that the importer reads if it cannot store an upload', async () => {
    const { launcher, fullLauncher } = makeDisk(folder);
    const store = await openStore({ engine: 'sqlite', path: join(folder, 'terse.db') }, Date.now());
    const path = await setupLink({ store, random: systemRandom, baseUrl: '', now: Date.now() });
    await store.close();
    const environment = { TERSE_DATABASE: `file:${folder}/disk/terse.db` };
    serving = await startServe(folder, environment, launcher);
    const owner = visit({ service: serving });
    await owner.post(path ?? '', { name: 'Ada', password: PASSWORD, again: PASSWORD });
    const { cookie } = owner;
    await serving.end('SIGKILL');

    serving = await startServe(folder, environment, fullLauncher);
    const later = visit({ service: serving });
    later.cookie = cookie;
    const rows = Array.from({ length: 50_000 }, (_, at) => `https://example.com/${at},code${at}`);
    const answer = await later.upload('/links/import', 'links.csv', ['url,code', ...rows].join('\n'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await answer.text()).toContain('The disk of this service is full');
    expect(serving.stderr()).toContain('"message":"a request failed"');
  });
});

describe('a service that was killed', () => {
  it('redirects again even if the disk is full, and reports the clicks it loses', async () => {
    const { launcher, fullLauncher } = makeDisk(folder);
    const store = await openStore({ engine: 'sqlite', path: join(folder, 'terse.db') }, NOON);
    await store.createRequests.submit(submission(await makeKey(store), { links: [link(['known'])] }));
    await store.close();
    const environment = { TERSE_DATABASE: `file:${folder}/disk/terse.db`, TERSE_METRICS_LISTEN: '127.0.0.1:0' };
    const first = await startServe(folder, environment, launcher);
    await first.end('SIGKILL');

    serving = await startServe(folder, environment, fullLauncher);
    const { short, metrics } = serving.addresses;
    for (let clicks = 0; clicks < 3; clicks += 1) {
      expect((await fetch(`${short}/known`, { redirect: 'manual' })).status).toBe(302);
    }
    expect(serving.stderr()).toContain('The disk of the database is full, so nothing can be saved.');
    expect(await (await fetch(`${metrics}/metrics`)).text()).toMatch(/^terse_clicks_lost_total 3$/m);
  });
});
