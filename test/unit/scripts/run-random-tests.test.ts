import { expect, test, vi } from 'vitest';
import type { RandomTest } from '../../../scripts/torture/random-tests.ts';
import { runRandomTests } from '../../../scripts/torture/run-random-tests.ts';

const randomTest = (name: string, run: RandomTest['run']): RandomTest => ({ name, run });
const breaksAt = (name: string, ...seeds: number[]) =>
  randomTest(name, async (seed) => ({ broken: seeds.includes(seed) ? [`${name} broke`] : [], summary: 'it' }));

/** Options that run the seeds 1 to `runs`. */
function optionsFor(runs: number) {
  let seed = 0;
  return { seed: null, isOver: () => seed >= runs, nextSeed: () => ++seed, printLine: vi.fn() };
}

test('a run continues after a failure and reports all failures', async () => {
  const failures = await runRandomTests([breaksAt('a', 2, 5)], optionsFor(6));
  expect(failures).toEqual([
    { test: 'a', seed: 2, broken: ['a broke'] },
    { test: 'a', seed: 5, broken: ['a broke'] },
  ]);
});

test('a run with a seed runs every random test once, even after a failure', async () => {
  const randomTests = [breaksAt('a', 7), breaksAt('b'), breaksAt('c', 7)];
  const failures = await runRandomTests(randomTests, { ...optionsFor(0), seed: 7 });
  expect(failures.map((failure) => failure.test)).toEqual(['a', 'c']);
});

test('a random test that always fails is stopped, and the others continue', async () => {
  const crash = randomTest('a', () => Promise.reject(new Error('no database')));
  const failures = await runRandomTests([crash, breaksAt('b', 100)], optionsFor(100));
  expect(failures).toHaveLength(11);
  expect(failures[0]).toMatchObject({ test: 'a', broken: [expect.stringContaining('no database')] });
  expect(failures[10]).toMatchObject({ test: 'b' });
});

test('a run ends when every random test is stopped', async () => {
  const crash = randomTest('a', () => Promise.reject(new Error('no database')));
  const failures = await runRandomTests([crash], { ...optionsFor(0), isOver: () => false });
  expect(failures).toHaveLength(10);
});
