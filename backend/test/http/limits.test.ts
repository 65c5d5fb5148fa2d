import { HEADER, KeyDocument, parseRateLimit } from '@terse/contract';
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/store/store-errors.ts';
import { post, serviceWithKeyForEach } from '../support/service.ts';
import { NOON } from '../support/store.ts';

const TARGET = { url: 'https://example.com/' };

const terse = serviceWithKeyForEach();

const send = (body: unknown = TARGET, headers?: Record<string, string>) =>
  terse.ask('/api/shorten', post(terse.key, body, headers));
const limitsOf = (response: Response) =>
  parseRateLimit(response.headers.get(HEADER.rateLimitPolicy), response.headers.get(HEADER.rateLimit));

describe('the throttle', () => {
  it('allows one request per second, and reports when the next one is allowed', async () => {
    expect((await send()).status).toBe(200);
    terse.clock.now += 1;
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.headers.get(HEADER.retryAfter)).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'throttled' });
    terse.clock.now += 998;
    expect((await send()).status).toBe(429);
    terse.clock.now += 1;
    expect((await send()).status).toBe(200);
  });

  it.each(['search', 'tag'])('counts a list with a %s as five reads', async (filter) => {
    const search = (text: string) =>
      terse.ask(`/api/v1/urls?${filter}=${text}`, { headers: { [HEADER.apiKey]: terse.key } });
    const statuses: number[] = [];
    for (let asked = 0; asked < 5; asked += 1) statuses.push((await search('otter')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    terse.clock.now += 400;
    expect((await search('otter')).status).toBe(429);
    // Spaces search for nothing.
    expect((await search('%20')).status).toBe(200);
    terse.clock.now += 200;
    const last = await search('otter');
    expect([last.status, last.headers.get(HEADER.rateLimit)]).toEqual([200, '"reads";r=0;t=2']);
  });
});

describe('the quota', () => {
  it('allows twenty requests per UTC day', async () => {
    for (let sent = 0; sent < 20; sent += 1) {
      expect((await send()).status).toBe(200);
      terse.clock.now += 1000;
    }
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'quota_exceeded' });
    const midnight = NOON + 12 * 3_600_000;
    expect(refused.headers.get(HEADER.retryAfter)).toBe(String((midnight - terse.clock.now) / 1000));
    terse.clock.now = midnight - 1;
    expect((await send()).status).toBe(429);
    terse.clock.now = midnight;
    expect((await send()).status).toBe(200);
  });

  it.each([
    ['an invalid URL', { url: 'nonsense' }, {}],
    ['malformed JSON', '{', {}],
    ['another content type', TARGET, { 'Content-Type': 'text/plain' }],
    ['too large a body', 'x'.repeat(70_000), {}],
    ['a bad Idempotency-Key', TARGET, { [HEADER.idempotencyKey]: 'a b' }],
  ])('is charged for %s', async (_, body, headers) => {
    const response = await send(body, headers);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(limitsOf(response)).toMatchObject({ throttle: { remaining: 0 }, quota: { remaining: 19 } });
  });

  it('does not count requests that a limit refused', async () => {
    await send();
    expect(limitsOf(await send()).quota?.remaining).toBe(19);
    terse.clock.now += 1000;
    expect(limitsOf(await send()).quota?.remaining).toBe(18);
  });
});

describe('the RateLimit fields', () => {
  it('report policy and state', async () => {
    const { headers } = await send();
    expect(headers.get(HEADER.rateLimitPolicy)).toBe('"throttle";q=1;w=1, "quota";q=20;w=86400');
    expect(headers.get(HEADER.rateLimit)).toBe('"throttle";r=0;t=1, "quota";r=19;t=43200');
  });

  it('report the limits that were set for the key', async () => {
    const own = await terse.newKey({ throttle: 0.5, quota: 3 });
    const { headers } = await terse.ask('/api/shorten', post(own, TARGET));
    expect(headers.get(HEADER.rateLimitPolicy)).toBe('"throttle";q=1;w=2, "quota";q=3;w=86400');
    expect(headers.get(HEADER.rateLimit)).toBe('"throttle";r=0;t=2, "quota";r=2;t=43200');
  });
});

describe('GET /api/v1/key', () => {
  const ask = () => terse.ask('/api/v1/key', { headers: { [HEADER.apiKey]: terse.key } });

  it('reports the key and its remaining limits, without counting against them', async () => {
    await send();
    for (let asked = 0; asked < 3; asked += 1) {
      const response = await ask();
      expect(response.status).toBe(200);
      expect(KeyDocument.parse(await response.json())).toEqual({
        name: 'test',
        lastFour: terse.key.slice(-4),
        scopes: ['create', 'read', 'manage'],
        ownLinksOnly: false,
        createdAt: new Date(NOON).toISOString(),
        throttle: { limit: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 },
        quota: { limit: 20, windowSeconds: 86_400, remaining: 19, resetSeconds: 43_200 },
      });
    }
  });

  it('has a separate throttle: twenty at once, ten per second', async () => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 21; asked += 1) statuses.push((await ask()).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    const refused = await ask();
    expect(refused.headers.get(HEADER.retryAfter)).toBe('1');
    expect(refused.headers.get(HEADER.rateLimitPolicy)).toBe('"reads";q=20;w=2');
    expect(refused.headers.get(HEADER.rateLimit)).toBe('"reads";r=0;t=2');
    terse.clock.now += 100;
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    expect((await send()).status).toBe(200);
  });
});

describe('the RateLimit fields', () => {
  const fails = async (error: Error) => {
    terse.store.createRequests.submit = () => Promise.reject(error);
    return terse.ask('/api/shorten', post(terse.key, TARGET));
  };
  const fieldsOf = ({ status, headers }: Response) => [
    status,
    headers.get(HEADER.rateLimitPolicy),
    headers.get(HEADER.rateLimit),
  ];
  const POLICY = '"throttle";q=1;w=1, "quota";q=20;w=86400';

  it('are in the response to a failed request', async () => {
    await send();
    expect(fieldsOf(await fails(new Error('made up')))).toEqual([
      500,
      POLICY,
      '"throttle";r=0;t=1, "quota";r=19;t=43200',
    ]);
  });

  it('report only the policy if the database is unavailable', async () => {
    expect(fieldsOf(await fails(new StoreUnavailable('made up')))).toEqual([503, POLICY, null]);
  });

  it('are in every response to a read, even for an unknown link', async () => {
    for (const path of ['/api/v1/urls', '/api/v1/urls/nothing', '/api/v1/urls?limit=0', '/api/v1/analytics/nothing']) {
      const response = await terse.ask(path, { headers: { [HEADER.apiKey]: terse.key } });
      expect(limitsOf(response).throttle, path).toMatchObject({ limit: 20 });
    }
    terse.store.links.find = () => Promise.reject(new StoreUnavailable('made up'));
    const away = await terse.ask('/api/v1/urls/nothing', { headers: { [HEADER.apiKey]: terse.key } });
    expect([away.status, limitsOf(away).throttle?.limit]).toEqual([503, 20]);
  });
});
