import { ServiceDocument } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { CODE_ALPHABET } from '../../src/domain/links/short-codes.ts';
import { raw } from '../support/raw.ts';
import { checkError, serviceForFile, serviceForTest } from '../support/service.ts';

const HTTP_11 = 'GET /api HTTP/1.1\r\nConnection: close\r\n';

const terse = serviceForFile({ TERSE_SHORT_BASE_URL: 'https://t.example', TERSE_METRICS_LISTEN: '127.0.0.1:0' });

describe('GET /api', () => {
  it('describes the service without a key', async () => {
    const response = await terse.ask('/api');
    expect(response.status).toBe(200);
    expect(ServiceDocument.parse(await response.json())).toEqual({
      name: 'Terse',
      version: '0.0.0-test',
      shortBaseUrl: 'https://t.example',
      domains: [{ name: 't.example', shortBaseUrl: 'https://t.example' }],
      features: [
        'idempotency',
        'batch',
        'item-idempotency',
        'links',
        'analytics',
        'key',
        'rate-limit',
        'chosen-codes',
        'edit',
        'tags',
        'forward-query',
      ],
      codes: { alphabet: CODE_ALPHABET, length: 7 },
      refusedTargets: ['own', 'private'],
      maxUrlBytes: 8192,
    });
  });

  it('does not list private targets as refused if the operator allows them', async () => {
    const open = await serviceForTest({ TERSE_ALLOW_PRIVATE_TARGETS: 'true' });
    expect(await (await open.ask('/api')).json()).toMatchObject({ refusedTargets: ['own'] });
  });
});

it('GET /readyz fails if the database is unavailable, while /healthz succeeds', async () => {
  const broken = await serviceForTest();
  await broken.store.close();
  broken.store.close = async () => {};
  const response = await broken.ask('/readyz');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await checkError(response)).toMatchObject({ code: 'unavailable' });
  expect((await broken.ask('/healthz')).status).toBe(200);
});

it('checks of a service are logged when their result changes, and counted each time', async () => {
  const checked = await serviceForTest({ TERSE_METRICS_LISTEN: '127.0.0.1:0' });
  const linesOf = (path: string) => checked.log.filter((line) => line.includes(`"route":"${path}"`)).length;
  for (let times = 0; times < 3; times += 1) for (const path of ['/healthz', '/readyz']) await checked.ask(path);
  expect([linesOf('/healthz'), linesOf('/readyz')]).toEqual([1, 1]);
  await checked.store.close();
  checked.store.close = async () => {};
  for (let times = 0; times < 3; times += 1) await checked.ask('/readyz');
  expect(linesOf('/readyz')).toBe(2);
  const metrics = await (await fetch(`${checked.service.addresses.metrics}/metrics`)).text();
  expect(metrics).toMatch(/_count\{method="GET",route="\/readyz",status="2xx"\} 3/);
});

describe('the API host', () => {
  it.each(['/nothing', '/api/', '/api/v1', '/api/shorten/', '/%', '/api/../../etc/passwd', '/favicon.ico'])(
    'answers %s with 404 as JSON',
    async (path) => {
      expect(await checkError(await terse.ask(path))).toMatchObject({ code: 'not_found' });
    },
  );

  it('allows no other origin to read its responses', async () => {
    const response = await terse.ask('/api', { headers: { Origin: 'https://evil.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect((await terse.ask('/api/shorten', { method: 'OPTIONS' })).status).toBe(405);
  });

  it('sends headers against caching and sniffing with every response', async () => {
    for (const path of ['/api', '/nothing', '/api/v1/key']) {
      const { headers } = await terse.ask(path);
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff']);
    }
  });

  it('forbids browsers to run, load or frame anything in a response that is not a page', async () => {
    for (const path of ['/api', '/api/v1/key', '/openapi.json', '/healthz', '/robots.txt', '/docs/icon.svg']) {
      const policy = (await terse.ask(path)).headers.get('content-security-policy');
      expect(policy, path).toBe("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }
  });

  it('lets the page of the API documentation load only its own files and images of its style sheet', async () => {
    const policy = (await terse.ask('/docs')).headers.get('content-security-policy');
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
    ]);
  });

  it('ignores an Expect header that it does not know', async () => {
    const expecting = `${HTTP_11}Host: x\r\nExpect: a-miracle\r\n\r\n`;
    expect(await raw(terse.service.addresses.api, expecting)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"name":"Terse"/);
  });
});

describe.each(['api', 'short', 'metrics'] as const)('the %s listener', (listener) => {
  it.each([
    ['HTTP/1.0 with a host', 'GET /readyz HTTP/1.0\r\nHost: x\r\n\r\n'],
    ['HTTP/1.0 without a host', 'GET /readyz HTTP/1.0\r\n\r\n'],
    ['a host with a port', 'GET /readyz HTTP/1.1\r\nHost: x:80\r\nConnection: close\r\n\r\n'],
    ['an IPv6 host', 'GET /readyz HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n'],
  ])('accepts %s', async (_, text) => {
    const answer = await raw(terse.service.addresses[listener] ?? '', text);
    expect(answer).toMatch(listener === 'api' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 404 /);
  });
});
