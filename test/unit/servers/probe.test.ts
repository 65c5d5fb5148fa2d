import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServiceInfo } from '../../../src/queue/types.ts';
import { probeResult, probeServer } from '../../../src/servers/call-server.ts';
import { NO_LIMITS } from '../queue/support/queue-builders.ts';
import { shortenNextTimeout, shortenTimeouts } from '../support/shorten-next-timeout.ts';
import { floods, hangs, hangsUp, type Manner, MisbehavingServer, says, trickles } from './misbehaving-server.ts';
import { terseServer } from './terse-server.ts';

const DOCUMENT = { name: 'Terse', version: '1', shortBaseUrl: 'https://s.example', features: ['key', 'batch'] };
const THROTTLE = { limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 };
const QUOTA = { limit: 20, windowSeconds: 86_400, remaining: 7, resetSeconds: 60 };
const KEY = {
  name: 'laptop',
  lastFour: 'abcd',
  createdAt: '2026-03-28T09:30:00.000Z',
  throttle: THROTTLE,
  quota: QUOTA,
};
const DATE = 'Sat, 28 Mar 2026 09:30:07 GMT';
/** Headers with the rate limits for GET requests, which differ from the limits for POST requests. */
const READS = { date: DATE, 'ratelimit-policy': '"reads";q=10;w=1', ratelimit: '"reads";r=9;t=1' };

let server: MisbehavingServer;
let baseUrl: string;

beforeEach(async () => {
  server = new MisbehavingServer();
  baseUrl = await server.start();
});
afterEach(() => {
  vi.restoreAllMocks();
  return server.stop();
});

function probe(document: Manner, key: Manner = hangs, known: ServiceInfo | null = null) {
  server.manners.set('/api', document).set('/api/v1/key', key);
  return probeServer(terseServer({ baseUrl, apiKey: 'the-key' }, { service: known }));
}

describe('a probe at our service', () => {
  test('reads the service document and the key’s limits', async () => {
    expect(await probe(says(200, DOCUMENT), says(200, KEY, READS))).toEqual({
      reached: true,
      service: DOCUMENT,
      key: 'accepted',
      limits: { throttle: THROTTLE, quota: QUOTA },
    });
  });

  test('sends the key only to the key document, and sends no POST', async () => {
    await probe(says(200, DOCUMENT), says(200, KEY));
    expect(server.heard.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api', 'GET /api/v1/key']);
    expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer the-key']);
  });

  test.each([401, 403])('detects a refused key (%d)', async (status) => {
    const found = await probe(says(200, DOCUMENT), says(status, { error: 'Who?' }, READS));
    expect(found).toMatchObject({ reached: true, key: 'refused', limits: NO_LIMITS });
  });

  test.each([
    ['a gateway’s refusal', says(403, '<h1>Blocked</h1>', READS)],
    ['a limit on probes', says(429, { error: 'Slow.' }, READS)],
    ['nonsense', says(200, '<h1>Hello</h1>', READS)],
    ['a key document in another shape', says(200, { ...KEY, quota: 20 }, READS)],
  ])('recognizes the service if it finds %s instead of the key document', async (_name, manner) => {
    const found = await probe(says(200, DOCUMENT), manner);
    expect(found).toMatchObject({ reached: true, service: DOCUMENT, key: 'unknown', limits: NO_LIMITS });
  });

  test('ignores a limit of zero, which would stop the queue forever', async () => {
    const zero = { limit: 0, windowSeconds: 0, remaining: 0, resetSeconds: 0 };
    const found = await probe(says(200, DOCUMENT), says(200, { ...KEY, throttle: zero, quota: zero }));
    expect(found).toMatchObject({ reached: true, limits: NO_LIMITS });
  });
});

describe('a probe at a service with a known but unreadable document', () => {
  const { version: _, ...known } = DOCUMENT;
  const page = says(200, '<h1>Maintenance</h1>');

  test.each([
    ['hangs', hangs],
    ['is a page', page],
    ['is not found', says(404, '<h1>Not Found</h1>')],
    ['is not found, in JSON', says(404, { error: 'Not found.' })],
    ['is redirected', says(302, '', { location: '/login' })],
  ])('uses the key document if the service document %s', async (_name, document) => {
    const probeWith = (key: Manner) => {
      if (document === hangs) shortenNextTimeout();
      return probe(document, key, known);
    };
    const found = await probeWith(says(200, KEY));
    expect(found).toMatchObject({ reached: true, service: null, key: 'accepted' });
    expect(probeResult(await probeWith(says(401, { error: 'Who?' })))?.key).toBe('refused');
    expect(await probeWith(page)).toEqual({ reached: false, problem: 'unavailable' });
    expect(await probeWith(says(404, { error: 'Not found.' }))).toMatchObject({ reached: true, key: 'unknown' });
  });
});

test.each([
  [['create', 'read'], 'accepted'],
  [['read', 'manage'], 'forbidden'],
  [undefined, 'accepted'],
])('a key with the scopes %j is %s', async (scopes, state) => {
  expect(probeResult(await probe(says(200, DOCUMENT), says(200, { ...KEY, scopes })))?.key).toBe(state);
});

test.each([
  [[{ name: 's.example', shortBaseUrl: 'https://s.example' }], true],
  [[{ name: 's.example', shortBaseUrl: 'javascript:x' }], false],
])('the domains %j are stored: %s', async (domains, isStored) => {
  const service = probeResult(await probe(says(200, { ...DOCUMENT, domains }), says(200, KEY)))?.service;
  expect(service?.domains).toEqual(isStored ? domains : undefined);
});

describe('a probe at any other service', () => {
  test.each([
    ['no service document', says(404, '<h1>Not Found</h1>', READS)],
    ['a document in another shape', says(200, { ...DOCUMENT, features: 'all' }, READS)],
    ['a short base URL that is a script', says(200, { ...DOCUMENT, shortBaseUrl: 'javascript:x' }, READS)],
  ])('reaches the service with %s, and never sends the key', async (_name, manner) => {
    const found = await probe(manner);
    expect(found).toMatchObject({ reached: true, service: null, key: 'unknown', limits: NO_LIMITS });
    expect(probeResult(found)).toMatchObject({ limits: NO_LIMITS });
    expect(server.heard.map(({ path }) => path)).toEqual(['/api']);
  });

  test.each([
    ['a page', says(200, '<h1>Hello</h1>', READS)],
    ['an endless page', floods],
  ])('sends a request to its endpoint if %s is in place of the document', async (_name, page) => {
    server.manners.set('/api/shorten', says(405, '<h1>POST only</h1>'));
    expect(await probe(page)).toMatchObject({ reached: true, service: null, key: 'unknown', limits: NO_LIMITS });
    server.manners.set('/api/shorten', page);
    expect(probeResult(await probe(page))).toMatchObject({ isPage: true, key: 'unknown' });
    expect(server.heard.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill(undefined));
  });
});

describe('a probe that is', () => {
  test.each([
    ['redirected', says(302, '', { location: 'https://elsewhere.example/' }), 'redirected'],
    ['hung up on', hangsUp, 'unreachable'],
    ['answered by a gateway without a service', says(502, '<h1>Bad Gateway</h1>'), 'unavailable'],
    ['answered by a service that is down for maintenance', says(503, { error: 'Later.' }), 'unavailable'],
    ['answered by a gateway after its timeout', says(504, ''), 'unavailable'],
    ['answered by a server with an error', says(500, ''), 'unavailable'],
    ['answered by a CDN with an unreachable origin', says(521, '<h1>Web server is down</h1>'), 'unavailable'],
    ['answered by a CDN without an origin', says(530, '<h1>Origin DNS error</h1>'), 'unavailable'],
  ])('%s has not reached the service', async (_name, manner, problem) => {
    server.manner = manner;
    expect(await probe(manner)).toEqual({ reached: false, problem });
  });

  test.each([500, 502, 503, 504, 521])(
    'answered by a service without its database has not reached the service (%d)',
    async (status) => {
      const found = await probe(says(200, DOCUMENT), says(status, { error: 'Later.', code: 'unavailable' }));
      expect(found).toEqual({ reached: false, problem: 'unavailable' });
    },
  );

  test('answered only by a gateway allows no sends', async () => {
    expect(probeResult(await probe(says(502, '')))).toBeNull();
  });

  test('redirected still shows that a server exists', async () => {
    server.manner = says(301, '', { location: '/docs' });
    const found = await probe(server.manner);
    const nothing = { limits: NO_LIMITS, service: null, key: 'unknown' };
    expect(probeResult(found)).toEqual({ ...nothing, redirected: true });
  });

  test('redirected only from the document has reached the service', async () => {
    server.manners.set('/api/shorten', says(405, { error: 'POST only.' }));
    const found = await probe(says(301, '', { location: '/api/' }));
    expect(found).toMatchObject({ reached: true, service: null, key: 'unknown' });
  });

  test('redirected, and then answered by a gateway error, has not reached the service', async () => {
    server.manners.set('/api/shorten', says(502, ''));
    expect(await probe(says(301, '', { location: '/api/' }))).toEqual({ reached: false, problem: 'unavailable' });
  });

  test.each([
    ['hangs', hangs],
    ['never ends', trickles],
  ])('answered only on another path finds a service without a document if the document %s', async (_name, manner) => {
    shortenTimeouts(200);
    expect(await probe(manner)).toMatchObject({ reached: true, service: null, key: 'unknown' });
  });

  test('not answered ends after its time limit, for the service and the key document', async () => {
    server.manner = hangs;
    shortenTimeouts(200);
    expect(await probe(hangs)).toEqual({ reached: false, problem: 'timeout' });
    expect(await probe(says(200, DOCUMENT))).toEqual({ reached: false, problem: 'timeout' });
    expect(probeResult({ reached: false, problem: 'timeout' })).toBeNull();
  });
});
