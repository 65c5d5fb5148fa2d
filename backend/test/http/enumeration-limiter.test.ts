import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createGuessingLimit } from '../../src/redirects/guessing-limit.ts';

const MOST_CLIENTS = 20_000;
const BURST = 60;
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
