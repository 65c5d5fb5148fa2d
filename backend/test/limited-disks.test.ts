import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { setupLink } from '../src/commands/manage.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { openStore } from '../src/store/open-store.ts';
import { post } from './support/service.ts';
import { link, makeKey, NOON, submission } from './support/store.ts';
import { folderForEach } from './support/test-folder.ts';
import { PASSWORD, visit } from './support/visitor.ts';

// These tests mount disks, which needs Linux and root privileges.

const folder = folderForEach();

/** Returns a launcher that runs a program in the test's folder, after a script has changed the mounts for it. */
const mounting = (script: string) => ['unshare', '--mount', 'sh', '-ec', `${script} && cd / && exec "$@"`, folder.path];

/** Returns a launcher for a program that can write to only one folder, like the container in compose.yaml. */
const writingOnlyTo = (name: string) =>
  mounting(`cd "$0" && mount --bind ${name} ${name}
    for mount in / /tmp /var/tmp /dev/shm; do ! mountpoint -q $mount || mount -o remount,ro,bind $mount; done`);

/**
 * Creates a small disk. Only programs that run through the returned launchers see the disk, as the folder `disk`. The
 * first launcher moves `terse.db` to the disk. The second launcher fills the disk.
 */
function makeDisk() {
  const image = folder.file('image');
  execFileSync('truncate', ['--size=16M', image]);
  execFileSync('mkfs.ext4', ['-q', '-m', '0', image]);
  mkdirSync(folder.file('disk'));
  const launch = (fill: string) => mounting(`cd "$0" && mount -o loop image disk && ${fill}`);
  return {
    launcher: launch('mv terse.db disk/'),
    fullLauncher: launch('{ dd if=/dev/zero of=disk/filler bs=1k || sync; } 2> filled'),
    environment: { TERSE_DATABASE: `file:${folder.path}/disk/terse.db`, TERSE_METRICS_LISTEN: '127.0.0.1:0' },
  };
}

it('a full disk is the reason that the importer reads if it cannot store an upload', async () => {
  const { launcher, fullLauncher, environment } = makeDisk();
  const store = await openStore({ engine: 'sqlite', path: folder.file('terse.db') }, Date.now());
  const path = await setupLink({ store, random: systemRandom, baseUrl: '', now: Date.now() });
  await store.close();
  const first = await folder.serve(environment, launcher);
  const owner = visit({ service: first });
  await owner.post(path ?? '', { name: 'Ada', password: PASSWORD, again: PASSWORD });
  await first.end('SIGKILL');

  const serving = await folder.serve(environment, fullLauncher);
  const later = visit({ service: serving });
  later.cookie = owner.cookie;
  const rows = Array.from({ length: 50_000 }, (_, at) => `https://example.com/${at},code${at}`);
  const answer = await later.upload('/links/import', 'links.csv', ['url,code', ...rows].join('\n'));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await answer.text()).toContain('The disk of this service is full');
  expect(serving.stderr()).toContain('"message":"a request failed"');
});

it('a killed service redirects again even if the disk is full, and reports the clicks it loses', async () => {
  const { launcher, fullLauncher, environment } = makeDisk();
  const store = await openStore({ engine: 'sqlite', path: folder.file('terse.db') }, NOON);
  await store.createRequests.submit(submission(await makeKey(store), { links: [link(['known'])] }));
  await store.close();
  const first = await folder.serve(environment, launcher);
  await first.end('SIGKILL');

  const serving = await folder.serve(environment, fullLauncher);
  const { short, metrics } = serving.addresses;
  for (let clicks = 0; clicks < 10; clicks += 1)
    expect((await fetch(`${short}/known`, { redirect: 'manual' })).status).toBe(302);
  expect(serving.stderr()).toContain('The disk of the database is full, so nothing can be saved.');
  // The write-ahead log of the killed process can have room for a few clicks.
  expect(await (await fetch(`${metrics}/metrics`)).text()).toMatch(/^terse_clicks_lost_total ([5-9]|10)$/m);
});

it('the service needs only one writable folder, also for batches of the maximum size', async () => {
  mkdirSync(folder.file('data'));
  const environment = { TERSE_DATABASE: `file:${folder.path}/data/terse.db`, TERSE_THROTTLE: '1000' };
  const serving = await folder.serve(environment, writingOnlyTo('data'));
  const key = (await folder.run(['keys', 'create', '--name', 'a'], environment)).stdout.trim();
  const urls = Array.from({ length: 100 }, (_, at) => ({ url: `https://example.com/${at}/${'x'.repeat(500)}` }));
  for (let round = 0; round < 5; round += 1) {
    const answer = await fetch(`${serving.addresses.api}/api/v1/urls/batch`, post(key, { urls }));
    expect(answer.status, await answer.text()).toBe(207);
  }
});
