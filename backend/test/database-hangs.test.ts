import { ErrorBody, Link } from '@terse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey } from '../src/commands/manage.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { openStore } from '../src/store/open-store.ts';
import { StoreTimeout } from '../src/store/store-errors.ts';
import { type PostgresServer, startPostgres } from './support/postgres-server.ts';
import type { ServeProcess } from './support/process.ts';
import { post, startTestService } from './support/service.ts';
import { link, makeKey, submission } from './support/store.ts';
import { folderForFile } from './support/test-folder.ts';

// The test freezes this server, so it cannot share one with other tests. A frozen server accepts connections but
// never responds.
const folder = folderForFile();
let server: PostgresServer;
let terse: ServeProcess;
beforeAll(async () => {
  server = await startPostgres(() => {});
  terse = await folder.serve({ TERSE_DATABASE: server.url('postgres') });
});
afterAll(async () => {
  server.thaw();
  await server.stop();
});

const address = () => ({ engine: 'postgres' as const, url: server.url('postgres'), connections: 4 });
const visit = (code: string) => fetch(`${terse.addresses.short}/${code}`, { redirect: 'manual' });
const ask = (path: string, init?: RequestInit) => fetch(terse.addresses.api + path, init);

it('the service follows cached links and answers other requests with 503 while the database hangs', async () => {
  const store = await openStore(address(), Date.now());
  const key = await createKey(store, systemRandom, { name: 'test', throttle: 1000, quota: 1000 }, Date.now());
  await store.close();
  const create = () => ask('/api/v1/urls', post(key, { url: 'https://example.com/' }));
  const { shortCode } = Link.parse(await (await create()).json());
  for (let time = 0; time < 2; time += 1) expect((await visit(shortCode)).status).toBe(302);

  server.freeze();
  try {
    const hung = Promise.all([
      ask('/readyz'),
      create(),
      ask('/api/v1/key', { headers: { 'X-API-Key': key } }),
      visit('2345678'),
    ]);
    let visits = 0;
    let isOver = false;
    hung.finally(() => {
      isOver = true;
    });
    while (!isOver || visits < 10) {
      expect((await visit(shortCode)).status).toBe(302);
      visits += 1;
    }
    const answers = await hung;
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    for (const answer of answers) expect(answer.headers.get('retry-after')).toBe('5');
    expect(ErrorBody.parse(await answers[1]?.json()).code).toBe('unavailable');
    expect((await visit(shortCode)).status).toBe(302);
  } finally {
    server.thaw();
  }
  expect((await ask('/readyz')).status).toBe(200);
  expect((await create()).status).toBe(201);
});

it('the store rejects all waiting operations by the same deadline', async () => {
  const store = await openStore(address(), Date.now());
  const key = await makeKey(store);
  server.freeze();
  try {
    // If the timeouts ran one after another, the test itself would time out.
    const asked = [
      ...Array.from({ length: 100 }, () => store.links.resolve('code')),
      ...Array.from({ length: 5000 }, (_, at) =>
        store.createRequests.submit(submission(key, { links: [link([`code${at}`])] })),
      ),
    ];
    for (const operation of asked) operation.catch(() => {});
    for (const operation of asked) await expect(operation).rejects.toThrow(StoreTimeout);
  } finally {
    server.thaw();
  }
  expect(await store.createRequests.submit(submission(key))).toMatchObject({ kind: 'answered' });
  for (const code of ['code0', 'code4999']) expect(await store.links.resolve(code)).toBeNull();
  server.freeze();
  await store.close();
  server.thaw();
});

it('the service stops while the database hangs, with and without pending requests', async () => {
  const idle = await folder.serve({ TERSE_DATABASE: server.url('postgres') });
  try {
    // The server is frozen from here on, so the open connections get no response.
    expect((await fetch(`${idle.addresses.api}/readyz`)).status).toBe(200);
    server.freeze();
    const idleEnds = idle.end('SIGTERM');
    const answers = await Promise.all([1, 2, 3].map(() => ask('/readyz')));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(await Promise.all([idleEnds, terse.end('SIGTERM')])).toEqual([0, 0]);
  } finally {
    server.thaw();
  }
});

it('the service stops after its time limit, and leaves the remaining work to the next process', async () => {
  const hanging = await startTestService({ TERSE_DATABASE: server.url('postgres') }, { finish: 0 });
  server.freeze();
  try {
    expect(await hanging.service.stop()).toBe(false);
    expect(hanging.log.join('')).toContain('stopping took too long');
  } finally {
    server.thaw();
  }
  await hanging.stop();
});
