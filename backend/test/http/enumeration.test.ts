import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createGuessingLimit } from '../../src/redirects/guessing-limit.ts';
import { serviceForTest, type TestService } from '../support/service.ts';
import { link, makeKey, submission } from '../support/store.ts';

const BURST = 60;
const PROXY = { TERSE_TRUSTED_PROXIES: '127.0.0.1' };

let terse: TestService;

async function start(environment: Record<string, string> = {}): Promise<void> {
  terse = await serviceForTest(environment);
  const key = await makeKey(terse.store);
  await terse.store.createRequests.submit(submission(key, { links: [link(['known'])] }));
}

async function statuses(count: number, path: (index: number) => string, from?: string): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push(await status(path(index), from));
  return found;
}

async function status(path: string, from?: string): Promise<number> {
  const headers = from === undefined ? {} : { 'X-Forwarded-For': from };
  return (await terse.visit(path, { headers })).status;
}

it('the short host refuses a client that guesses codes, and allows it again later', async () => {
  await start();
  expect(new Set(await statuses(BURST, (index) => `/guess${index}`))).toEqual(new Set([404]));

  const refused = await terse.visit('/another');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await refused.text()).toContain('Too many wrong links');
  expect(await status('/known')).toBe(429);

  terse.monotonic.now += 1000;
  expect(await status('/known')).toBe(302);
  expect(await status('/another')).toBe(404);
  expect(await status('/another')).toBe(429);
  terse.monotonic.now += 3_600_000;
  expect(new Set(await statuses(BURST, (index) => `/again${index}`))).toEqual(new Set([404]));
});

it('the short host counts neither existing links nor paths that cannot be codes as guesses', async () => {
  await start();
  await statuses(BURST + 5, () => '/known');
  const files = ['/favicon.ico', '/.well-known/x', '/apple-touch-icon.png', '/a%00b'];
  expect(new Set(await statuses(4 * BURST, (index) => files[index % 4] ?? ''))).toEqual(new Set([404]));
  expect(await status('/known')).toBe(302);
});

it('the short host redirects a client that may guess no more to popular links, which need no look-up', async () => {
  await start();
  await statuses(5, () => '/known');
  await statuses(BURST + 5, (index) => `/guess${index}`);
  expect([await status('/known'), await status('/another')]).toEqual([302, 429]);
});

it('the short host opens existing links after its clock was set back', async () => {
  await start();
  expect(await status('/guess')).toBe(404);
  terse.clock.now -= 3_600_000;
  expect(await status('/known')).toBe(302);
});

it('the short host answers parallel requests of one client for an existing link', async () => {
  await start();
  const visits = Array.from({ length: 5 * BURST }, () => status('/known'));
  expect(new Set(await Promise.all(visits))).toEqual(new Set([302]));
});

it('the short host distinguishes clients behind a trusted proxy, and trusts no other header', async () => {
  await start(PROXY);
  await statuses(BURST, (index) => `/guess${index}`, '203.0.113.7');
  expect(await status('/known', '203.0.113.7')).toBe(429);
  // The proxy appends the client's address on the right. The part that the client sent itself is on the left.
  expect(await status('/known', '198.51.100.1, 203.0.113.7')).toBe(429);
  expect(await status('/known', '203.0.113.8')).toBe(302);
  expect(terse.log.join('')).not.toContain('TERSE_TRUSTED_PROXIES');
});

it('the short host ignores the proxy header if no proxy is trusted', async () => {
  await start();
  expect(await statuses(BURST + 1, (index) => `/guess${index}`, '203.0.113.7')).toContain(429);
  expect(await status('/known', '203.0.113.8')).toBe(429);
  expect(terse.log.filter((line) => line.includes('TERSE_TRUSTED_PROXIES'))).toHaveLength(1);
});

it('the short host treats an IPv6 /64 network as one client', async () => {
  await start(PROXY);
  for (let index = 0; index < BURST; index += 1) await status(`/guess${index}`, `2001:db8:0:1::${index.toString(16)}`);
  expect(await status('/known', '2001:db8:0:1:ffff::1')).toBe(429);
  expect(await status('/known', '2001:db8:0:2::1')).toBe(302);
});

const MOST_CLIENTS = 20_000;
const from = (client: string) => ({ headers: { client } }) as unknown as IncomingMessage;
const clientOf = ({ headers }: IncomingMessage) => String(headers.client);

function limiterAt(clock: { now: number }) {
  const limiter = createGuessingLimit(clientOf, () => clock.now);
  const miss = (client: string) => limiter.lookUp(from(client), async () => null);
  const hit = (client: string) => limiter.lookUp(from(client), async () => 'link');
  return { limiter, miss, hit };
}

describe('the enumeration limiter', () => {
  it('looks up at most as many codes at once as the client has guesses left', async () => {
    const { limiter, miss } = limiterAt({ now: 0 });
    for (let misses = 0; misses < 20; misses += 1) await miss('a');
    const ends: (() => void)[] = [];
    const find = () => new Promise<string>((resolve) => ends.push(() => resolve('link')));
    const all = Array.from({ length: 100 }, () => limiter.lookUp(from('a'), find));
    expect(ends).toHaveLength(40);
    for (const end of ends) end();
    const results = await Promise.all(all);
    expect(results.filter((result) => 'found' in result)).toHaveLength(40);
    expect(results.filter((result) => 'retryAfter' in result)).toHaveLength(60);
  });

  it('returns the guess if the lookup fails', async () => {
    const { limiter, hit } = limiterAt({ now: 0 });
    const fails = () => limiter.lookUp(from('a'), () => Promise.reject(new Error('away')));
    const all = await Promise.allSettled(Array.from({ length: BURST }, fails));
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await hit('a')).toEqual({ found: 'link' });
  });

  it('remembers a limited number of clients', async () => {
    const { miss } = limiterAt({ now: 0 });
    for (const client of ['first', 'second']) {
      for (let misses = 0; misses < BURST; misses += 1) await miss(client);
      expect(await miss(client)).toEqual({ retryAfter: 1 });
    }
    for (let others = 0; others < MOST_CLIENTS - 1; others += 1) await miss(`other ${others}`);
    expect(await miss('second')).toEqual({ retryAfter: 1 });
    expect(await miss('first')).toEqual({ found: null });
  });
});
