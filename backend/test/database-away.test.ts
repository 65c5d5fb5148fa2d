import { ErrorBody, HEADER, Link } from '@terse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey } from '../src/commands/manage.ts';
import { systemRandom } from '../src/domain/clock-and-random.ts';
import { openStore } from '../src/store/open-store.ts';
import { StoreTimeout } from '../src/store/store-errors.ts';
import { type PostgresServer, startPostgres } from './support/postgres-server.ts';
import type { ServeProcess } from './support/process.ts';
import { checkError, post, serviceForTest, startTestService } from './support/service.ts';
import { link, makeKey, submission } from './support/store.ts';
import { folderForFile } from './support/test-folder.ts';
import { holder, PASSWORD, textOf } from './support/visitor.ts';

// The tests stop and freeze this server, so they cannot share one with others. A frozen server accepts connections but
// never responds.
let server: PostgresServer;
let serving: ServeProcess;
const folder = folderForFile();
beforeAll(async () => {
  server = await startPostgres(() => {});
  serving = await folder.serve({ TERSE_DATABASE: server.url('postgres') });
});
afterAll(async () => {
  server.thaw();
  await server.stop();
});

it('the service responds with 503 while the database is unavailable, and recovers afterwards', async () => {
  const terse = await serviceForTest({ TERSE_DATABASE: server.url('postgres') });
  const ada = await holder(terse);
  const key = await terse.newKey({ throttle: 100_000, quota: 100 });
  const create = (shortCode: string) => post(key, { url: 'https://example.com/', shortCode });
  expect((await terse.ask('/api/v1/urls', create('kept'))).status).toBe(201);

  await server.crash();
  const asked = [
    await terse.ask('/api/v1/urls', create('lost')),
    await terse.ask('/api/v1/urls/kept', { headers: { [HEADER.apiKey]: key } }),
    await terse.ask('/readyz'),
  ];
  for (const response of asked) {
    expect(response.status).toBe(503);
    expect(Number(response.headers.get(HEADER.retryAfter))).toBeGreaterThan(0);
    expect(await checkError(response)).toMatchObject({ code: 'unavailable' });
  }
  const page = await terse.visit('/kept');
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(Number(page.headers.get(HEADER.retryAfter))).toBeGreaterThan(0);
  expect((await terse.ask('/healthz')).status).toBe(200);
  const pages = await Promise.all([
    ...['/', '/links', '/sign-in', '/account', '/readyz'].map((path) => ada.get(path)),
    // More attempts than the limit for one name allows.
    ...Array.from({ length: 10 }, () => ada.post('/sign-in', { name: 'Ada', password: PASSWORD })),
    ada.post('/links', { url: 'https://example.com/' }),
    ada.upload('/links/import', 'links.csv', 'url\nhttps://example.com/\n'),
  ]);
  for (const page of pages) {
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=UTF-8']);
    expect(Number(page.headers.get(HEADER.retryAfter))).toBeGreaterThan(0);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(textOf(await page.text())).toMatch(/Temporarily unavailable.* The service cannot reach its database\./);
  }
  const others = await Promise.all(Array.from({ length: 20 }, (_, at) => terse.visit(`/other-${at}`)));
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 503));
  const lines = (message: string) => terse.log.filter((line) => line.includes(`"message":"${message}"`));
  // The log contains one line for all failures of a kind, with the database's error.
  await terse.service.clicks.settle();
  for (const message of ['a redirect failed', 'a request failed', 'counting clicks failed and is retried']) {
    expect(lines(message)).toHaveLength(1);
    expect(lines(message)[0]).toMatch(/\[cause\]: .*(ECONNREFUSED|ENOENT|terminat|shutting down)/i);
  }

  await server.start();
  expect((await terse.visit('/kept')).status).toBe(302);
  expect((await terse.visit('/lost')).status).toBe(404);
  terse.clock.now += 1;
  expect((await terse.ask('/api/v1/urls', create('after'))).status).toBe(201);
  expect((await terse.ask('/readyz')).status).toBe(200);
  expect((await ada.post('/sign-in', { name: 'Ada', password: PASSWORD })).status).toBe(303);
  expect(await ada.page('/links')).toContain('after');
});

const address = () => ({ engine: 'postgres' as const, url: server.url('postgres'), connections: 4 });
const visit = (code: string) => fetch(`${serving.addresses.short}/${code}`, { redirect: 'manual' });
const ask = (path: string, init?: RequestInit) => fetch(serving.addresses.api + path, init);

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
    expect(await Promise.all([idleEnds, serving.end('SIGTERM')])).toEqual([0, 0]);
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
