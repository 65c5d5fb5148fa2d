import { describe, expect, test } from 'vitest';
import { chanceFrom } from '../../../scripts/torture/chance.ts';
import { brokenAtIdempotent, brokenAtSpecOnly, strayKeys } from '../../../scripts/torture/kills/promises.ts';
import { OptionError, readOptions } from '../../../scripts/torture/options.ts';

const order = (id: string) => ({ id, url: `https://x.example/${id}` });
const link = (id: string) => ({ ...order(id), shortUrl: `https://s.example/${id}` });
const request = (id: string, state: string) => ({ ...order(id), state, problem: null });
const urlOf = (id: string) => order(id).url;

test('a seed gives the same choices in the same order, and another others', () => {
  const choices = (seed: number) => {
    const chance = chanceFrom(seed);
    return Array.from({ length: 50 }, () => chance.between(1, 6));
  };
  expect(choices(7)).toEqual(choices(7));
  expect(choices(7)).not.toEqual(choices(8));
  expect(new Set(choices(7))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});

describe('what a service that honours keys is held against', () => {
  const orders = [order('a'), order('b')];
  const disk = { links: [link('a'), link('b')], requests: [] };

  test('one link each is as promised', () => {
    expect(brokenAtIdempotent(orders, disk, [urlOf('a'), urlOf('b')])).toEqual([]);
  });

  test.each([
    ['a double', disk, ['a', 'a', 'b'], 'was created 2 times'],
    ['none', disk, ['a'], 'was created 0 times'],
    ['what nobody asked for', disk, ['a', 'b', 'c'], 'never requested'],
    ['what is kept nowhere', { ...disk, links: [link('a')] }, ['a', 'b'], 'is missing now'],
    ['what never ends', { ...disk, requests: [request('b', 'unanswered')] }, ['a', 'b'], 'is still unanswered'],
  ])('%s is not', (_what, found, made, sentence) => {
    const broken = brokenAtIdempotent(orders, found, made.map(urlOf));
    expect(broken).toEqual([expect.stringContaining(sentence)]);
  });
});

describe('what a service with the specification alone is held against', () => {
  const orders = [order('a'), order('b')];
  const received = (id: string, at: number, manner: 'drop-after' | 'limited' = 'drop-after') => {
    return { url: urlOf(id), manner, at, answeredAt: at };
  };
  const seen = {
    received: [received('a', 0), received('b', 1000)],
    made: [urlOf('a')],
    sentAgain: new Map(),
    stall: 0,
  };
  const disk = { links: [link('a')], requests: [request('b', 'undecided')] };

  test('what is undecided, once each and a second apart, is as promised', () => {
    expect(brokenAtSpecOnly(orders, disk, seen)).toEqual([]);
  });

  test('so is a second send that the person asked for, or after a refusal for now', () => {
    const [first, second] = seen.received as [ReturnType<typeof received>, ReturnType<typeof received>];
    const again = { ...seen, received: [first, second, received('b', 2000)], sentAgain: new Map([[urlOf('b'), 1]]) };
    expect(brokenAtSpecOnly(orders, disk, again)).toEqual([]);
    const limited = { ...seen, received: [first, received('b', 1000, 'limited'), received('b', 2000)] };
    expect(brokenAtSpecOnly(orders, disk, limited)).toEqual([]);
  });

  test.each([
    ['a silent double', { made: [urlOf('a'), urlOf('a')] }, 'was created 2 times'],
    [
      'a second send that nobody asked for',
      { received: [...seen.received, received('b', 2000)] },
      'was received 2 times',
    ],
    ['a send too soon', { received: [received('a', 0), received('b', 950)] }, '950 ms after'],
    ['a send too many', { received: Array.from({ length: 21 }, (_, n) => received(`${n}`, n * 1000)) }, '21 requests'],
  ])('%s is not', (_what, more, sentence) => {
    expect(brokenAtSpecOnly(orders, disk, { ...seen, ...more })).toEqual([expect.stringContaining(sentence)]);
  });

  test.each([
    ['unanswered', 'is unanswered'],
    ['failed', 'is failed'],
    ['waiting', 'is waiting to be sent, but was already created'],
  ])('a request that is %s after its link was made is not', (state, sentence) => {
    const broken = brokenAtSpecOnly(orders, { links: [link('b')], requests: [request('a', state)] }, seen);
    expect(broken).toEqual([expect.stringContaining(sentence)]);
  });

  test('a service that stood still itself does not know the times so well', () => {
    const soon = { ...seen, received: [received('a', 0), received('b', 950)], stall: 60 };
    expect(brokenAtSpecOnly(orders, disk, soon)).toEqual([]);
  });
});

test('a key elsewhere than at its own service is found, and not told whole', () => {
  const key = 'terse_abcdefghijklmnopqrstuvwxyz';
  expect(strayKeys('It', new Set([`Bearer ${key}`]), key)).toEqual([]);
  const [complaint = ''] = strayKeys('It', new Set([`Bearer ${key}`]), 'another');
  expect(complaint).toContain('It received');
  expect(complaint).not.toContain(key);
});

describe('the options', () => {
  test('are five minutes of everything with new seeds unless told', () => {
    expect(readOptions([], {})).toEqual({
      minutes: 5,
      runs: 500,
      seed: null,
      loop: null,
      browsers: ['chromium', 'firefox'],
      only: [],
    });
  });

  test('are taken as told', () => {
    const args = ['--minutes', '30', '--browser', 'firefox', '--loop', 'kills-firefox', 'test/unit/queue'];
    const told = readOptions(args, { TERSE_SEED: '7', TERSE_PROPERTY_RUNS: '9' });
    expect(told).toMatchObject({ minutes: 30, runs: 9, seed: 7, loop: 'kills-firefox', browsers: ['firefox'] });
    expect(told.only).toEqual(['test/unit/queue']);
  });

  test.each([
    [['--minutes', 'x'], {}, '--minutes must be a number'],
    [['--browser', 'opera'], {}, '--browser must be chromium or firefox'],
    [['--bogus'], {}, 'npm run torture --'],
    [[], { TERSE_SEED: '' }, 'TERSE_SEED must be a number'],
  ])('%j %j are answered with what to write instead', (args, environment, sentence) => {
    expect(() => readOptions(args, environment)).toThrow(OptionError);
    expect(() => readOptions(args, environment)).toThrow(sentence);
  });
});
