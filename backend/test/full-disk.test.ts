import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { makeDisk } from './support/mounts.ts';
import { type ServeProcess, startServe } from './support/process.ts';
import { link, makeKey, NOON, submission } from './support/store.ts';

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
    expect(serving.stderr()).toContain('the disk is full: clicks are lost until there is room');
    expect(await (await fetch(`${metrics}/metrics`)).text()).toMatch(/^terse_clicks_lost_total 3$/m);
  });
});
