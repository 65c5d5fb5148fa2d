import { describe, expect, it } from 'vitest';
import { createSignInLimit } from '../../src/dashboard/account/sign-in-page.ts';
import { serviceForTest } from '../support/service.ts';
import { NOON } from '../support/store.ts';

const DAY = 86_400_000;

function limiter() {
  const clock = { now: NOON };
  const { attempt, remember } = createSignInLimit(() => clock.now);
  return { clock, attempt, remember };
}

/** Returns the number of attempts in a period if every client retries as early as possible. */
function throughput({ clock, attempt }: ReturnType<typeof limiter>, clients: string[], milliseconds: number): number {
  const end = clock.now + milliseconds;
  let through = 0;
  for (; clock.now < end; clock.now += 1000) {
    for (const client of clients) if (attempt('ada', client) === 0) through += 1;
  }
  return through;
}

describe('attempts to sign in', () => {
  it('that are refused report the longest wait of all limits, and the next attempt after it is allowed', () => {
    const { clock, attempt } = limiter();
    for (let at = 0; at < 12; at += 1) attempt(`name${at}`, 'here');
    expect(Array.from({ length: 9 }, () => attempt('ada', 'here'))).toEqual([...Array(8).fill(0), 60]);
    expect(attempt('somebody else', 'here')).toBe(5);
    for (let at = 0; at < 100; at += 1) attempt('eve', `client${at}`);
    expect(attempt('eve', 'here')).toBe(15);
    clock.now += 60_000;
    expect(attempt('ada', 'here')).toBe(0);
  });

  it('of one attacker do not block a name for users in other networks', () => {
    const all = limiter();
    for (let at = 0; at < 1000; at += 1) {
      all.attempt('ada', 'stranger');
      all.clock.now += 1000;
    }
    expect(Array.from({ length: 8 }, () => all.attempt('ada', 'holder'))).toEqual(Array(8).fill(0));
    // Four attackers together do not use up the name's limit either.
    throughput(all, ['a', 'b', 'c', 'd'], DAY / 4);
    expect(all.attempt('ada', 'elsewhere')).toBe(0);
  });

  it('of all clients for one name are limited to about six thousand a day', () => {
    // Each of the clients could make 68 attempts if it were the only one.
    const clients = Array.from({ length: 100 }, (_, at) => `client${at}`);
    expect(throughput(limiter(), clients, DAY / 24)).toBeLessThanOrEqual(100 + 240 + 1);
  });

  it('of all clients do not block users who have signed in from their network before', () => {
    const all = limiter();
    all.attempt('ada', 'home');
    all.remember('ada', 'home');
    for (let at = 0; at < 200; at += 1) all.attempt('ada', `client${at}`);
    expect(all.attempt('ada', 'abroad')).toBe(15);
    expect(all.attempt('ada', 'home')).toBe(0);
    // A familiar network has a limit too: it allows only a few attempts at once.
    expect(Array.from({ length: 7 }, () => all.attempt('ada', 'home')).at(-1)).toBeGreaterThan(0);
    expect(all.attempt('grace', 'home')).toBe(0);
  });
});

it('excess sign-ins with many names from many networks are answered with Retry-After', async () => {
  const terse = await serviceForTest({ TERSE_TRUSTED_PROXIES: '127.0.0.1' });
  const { api } = terse.service.addresses;
  const signIn = (at: number) =>
    fetch(`${api}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: api, Accept: 'text/html', 'X-Forwarded-For': `198.51.${at >> 8}.${at & 255}` },
      body: new URLSearchParams({ name: `name${at}`, password: 'some password or other' }),
    });
  const responses = await Promise.all(Array.from({ length: 120 }, (_, at) => signIn(at)));
  const byStatus = Object.groupBy(responses, ({ status }) => status);
  expect(Object.keys(byStatus)).toEqual(['400', '503']);
  const [refused] = byStatus[503] ?? [];
  expect(refused?.headers.get('retry-after')).toBe('2');
  expect(await refused?.text()).toContain('Too many people are signing in right now.');
  expect((await signIn(500)).status).toBe(400);
});
