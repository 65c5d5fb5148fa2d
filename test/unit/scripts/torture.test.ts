import { describe, expect, test } from 'vitest';

import { brokenAtIdempotent, brokenAtSpecOnly } from '../../../scripts/torture/kill-processes/find-broken-promises.ts';
import { chanceFrom } from '../../../scripts/torture/random-choices.ts';
import { randomTests } from '../../../scripts/torture/random-tests.ts';

const order = (id: string) => ({ id, url: `https://x.example/${id}` });
const link = (id: string) => ({ ...order(id), shortUrl: `https://s.example/${id}` });
const request = (id: string, state: string) => ({ ...order(id), state, problem: null });
const urlOf = (id: string) => order(id).url;

test('a seed always leads to the same choices, and another seed to other choices', () => {
  const choices = (seed: number) => {
    const chance = chanceFrom(seed);
    return Array.from({ length: 50 }, () => chance.between(1, 6));
  };
  expect(choices(7)).toEqual(choices(7));
  expect(choices(7)).not.toEqual(choices(8));
  expect(new Set(choices(7))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});

describe('at a service with idempotency keys', () => {
  const orders = [order('a'), order('b')];
  const disk = { links: [link('a'), link('b')], requests: [] };

  test('one link per request keeps the guarantees', () => {
    expect(brokenAtIdempotent(orders, disk, [urlOf('a'), urlOf('b')])).toEqual([]);
  });

  test.each([
    ['a duplicate link', disk, ['a', 'a', 'b'], 'was created 2 times'],
    ['a missing link', disk, ['a'], 'was created 0 times'],
    ['a link without a request', disk, ['a', 'b', 'c'], 'never requested'],
    ['a lost request', { ...disk, links: [link('a')] }, ['a', 'b'], 'is missing now'],
    ['a request that never ends', { ...disk, requests: [request('b', 'unknown')] }, ['a', 'b'], 'is still unknown'],
  ])('%s breaks the guarantees', (_what, found, made, sentence) => {
    const broken = brokenAtIdempotent(orders, found, made.map(urlOf));
    expect(broken).toEqual([expect.stringContaining(sentence)]);
  });
});

describe('at a service without idempotency keys', () => {
  const orders = [order('a'), order('b')];
  const received = (id: string, at: number, manner: 'drop-after' | 'limited' = 'drop-after') => {
    return { url: urlOf(id), manner, at, answeredAt: at };
  };
  const seen = {
    received: [received('a', 0), received('b', 1000)],
    made: [urlOf('a')],
    stall: 0,
  };
  const disk = { links: [link('a')], requests: [request('b', 'uncertain')] };

  test('uncertain requests, sent once and a second apart, keep the guarantees', () => {
    expect(brokenAtSpecOnly(orders, disk, seen)).toEqual([]);
  });

  test('a second send after a temporary refusal keeps the guarantees', () => {
    const limited = { ...seen, received: [received('a', 0), received('b', 1000, 'limited'), received('b', 2000)] };
    expect(brokenAtSpecOnly(orders, disk, limited)).toEqual([]);
  });

  test.each([
    ['a duplicate link without a decision', { made: [urlOf('a'), urlOf('a')] }, 'was created 2 times'],
    ['a second send without a decision', { received: [...seen.received, received('b', 2000)] }, 'was received 2 times'],
    ['a send that is too early', { received: [received('a', 0), received('b', 950)] }, '950 ms after'],
    [
      'a send beyond the quota',
      { received: Array.from({ length: 21 }, (_, n) => received(`${n}`, n * 1000)) },
      '21 requests',
    ],
  ])('%s breaks the guarantees', (_what, more, sentence) => {
    expect(brokenAtSpecOnly(orders, disk, { ...seen, ...more })).toEqual([expect.stringContaining(sentence)]);
  });

  test.each([
    ['unknown', 'is unknown'],
    ['failed', 'is failed'],
    ['waiting', 'is waiting to be sent, but was already created'],
  ])('a request that is %s after its link was created breaks the guarantees', (state, sentence) => {
    const broken = brokenAtSpecOnly(orders, { links: [link('b')], requests: [request('a', state)] }, seen);
    expect(broken).toEqual([expect.stringContaining(sentence)]);
  });

  test('send times may be less exact if the service was suspended', () => {
    const soon = { ...seen, received: [received('a', 0), received('b', 950)], stall: 60 };
    expect(brokenAtSpecOnly(orders, disk, soon)).toEqual([]);
  });
});

test('with --record, only the random tests run that record calls', () => {
  const namesFor = (file: string | null) => randomTests(file).map(({ name }) => name);
  expect(namesFor('calls.jsonl')).toEqual(['service-sqlite', 'service-postgres']);
  expect(namesFor(null)).toEqual(expect.arrayContaining(['failover', 'kills-firefox', 'service-postgres']));
});
