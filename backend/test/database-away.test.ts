import { HEADER } from '@terse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from './support/postgres-server.ts';
import { checkError, post, startTestService, type TestService } from './support/service.ts';
import { holder, PASSWORD, textOf, type Visitor } from './support/visitor.ts';

// The test stops this server, so it cannot share one with other tests.
let server: PostgresServer;
let terse: TestService;
let ada: Visitor;
beforeAll(async () => {
  server = await startPostgres(() => {});
  terse = await startTestService({ TERSE_DATABASE: server.url('postgres') });
  ada = await holder(terse);
});
afterAll(async () => {
  await terse.stop();
  await server.stop();
});

it('the service responds with 503 while the database is unavailable, and recovers afterwards', async () => {
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
  for (const message of ['a redirect failed', 'a request failed']) {
    expect(lines(message)).toHaveLength(1);
    expect(lines(message)[0]).toMatch(/\[cause\]: .*(ECONNREFUSED|ENOENT|terminat|shutting down)/i);
  }
  await terse.service.clicks.settle();
  expect(lines('counting clicks failed and is retried').join()).toMatch(/\[cause\]: /);

  await server.start();
  expect((await terse.visit('/kept')).status).toBe(302);
  expect((await terse.visit('/lost')).status).toBe(404);
  terse.clock.now += 1;
  expect((await terse.ask('/api/v1/urls', create('after'))).status).toBe(201);
  expect((await terse.ask('/readyz')).status).toBe(200);
  expect((await ada.post('/sign-in', { name: 'Ada', password: PASSWORD })).status).toBe(303);
  expect(await ada.page('/links')).toContain('after');
});
