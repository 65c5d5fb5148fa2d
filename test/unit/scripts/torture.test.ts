import { describe, expect, test } from 'vitest';
import { OptionError, readOptions } from '../../../scripts/torture/options.ts';
import { chanceFrom } from '../../../scripts/torture/random-choices.ts';
import { randomTestsFor } from '../../../scripts/torture/random-tests.ts';

test('a seed always leads to the same choices, and another seed to other choices', () => {
  const choices = (seed: number) => {
    const chance = chanceFrom(seed);
    return Array.from({ length: 50 }, () => chance.between(1, 6));
  };
  expect(choices(7)).toEqual(choices(7));
  expect(choices(7)).not.toEqual(choices(8));
  expect(new Set(choices(7))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});

test('with --record, only the random tests run that record calls', () => {
  const namesFor = (...args: string[]) => randomTestsFor(readOptions(args, {})).map(({ name }) => name);
  expect(namesFor('--record', 'calls.jsonl')).toEqual(['service-sqlite', 'service-postgres']);
  expect(namesFor('--record', 'calls.jsonl', '--test', 'service-sqlite')).toEqual(['service-sqlite']);
  expect(namesFor('--record', 'calls.jsonl', '--test', 'failover')).toEqual([]);
  expect(namesFor()).toEqual(expect.arrayContaining(['failover', 'simulation', 'service-postgres']));
});

describe('the options', () => {
  test('default to five minutes of all random tests with new seeds', () => {
    expect(readOptions([], {})).toEqual({
      minutes: 5,
      runs: 500,
      seed: null,
      test: null,
      record: null,
      only: [],
    });
  });

  test('are used as given', () => {
    const args = ['--minutes', '30', '--test', 'simulation', 'test/unit/queue'];
    const told = readOptions(args, { TERSE_SEED: '7', TERSE_PROPERTY_RUNS: '9' });
    expect(told).toMatchObject({ minutes: 30, runs: 9, seed: 7, test: 'simulation' });
    expect(told.only).toEqual(['test/unit/queue']);
    expect(readOptions(['--record', 'calls.jsonl'], {}).record).toBe('calls.jsonl');
  });

  test.each([
    [['--minutes', 'x'], {}, '--minutes must be a number'],
    [['--bogus'], {}, 'npm run torture --'],
    [['--record', 'calls.jsonl', 'test/unit/queue'], {}, '--record cannot be combined'],
    [[], { TERSE_SEED: '' }, 'TERSE_SEED must be a number'],
  ])('%j %j are rejected with a message about the correct option', (args, environment, sentence) => {
    expect(() => readOptions(args, environment)).toThrow(OptionError);
    expect(() => readOptions(args, environment)).toThrow(sentence);
  });
});
