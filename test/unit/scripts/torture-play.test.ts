import { expect, test, vi } from 'vitest';
import type { Loop } from '../../../scripts/torture/loop.ts';
import { playLoops } from '../../../scripts/torture/play.ts';

const loop = (name: string, play: Loop['play']): Loop => ({ name, prepare: async () => {}, play });
const breaksAt = (name: string, ...seeds: number[]) =>
  loop(name, async (seed) => ({ broken: seeds.includes(seed) ? [`${name} broke`] : [], played: 'it' }));

/** Options that run the seeds 1 to `plays`. */
function optionsFor(plays: number) {
  let seed = 0;
  return { seed: null, isOver: () => seed >= plays, nextSeed: () => ++seed, tell: vi.fn() };
}

test('continues after a failure and reports all failures', async () => {
  const { plays, failures } = await playLoops([breaksAt('a', 2, 5)], optionsFor(6));
  expect(plays).toEqual(new Map([['a', 6]]));
  expect(failures).toEqual([
    { loop: 'a', seed: 2, broken: ['a broke'] },
    { loop: 'a', seed: 5, broken: ['a broke'] },
  ]);
});

test('runs every loop from a seed, even after a failure', async () => {
  const loops = [breaksAt('a', 7), breaksAt('b'), breaksAt('c', 7)];
  const { plays, failures } = await playLoops(loops, { ...optionsFor(0), seed: 7 });
  expect([...plays.values()]).toEqual([1, 1, 1]);
  expect(failures.map(({ loop }) => loop)).toEqual(['a', 'c']);
});

test('a loop that throws counts as failed', async () => {
  const crash = loop('a', () => Promise.reject(new Error('no database')));
  const { failures } = await playLoops([crash], optionsFor(1));
  expect(failures).toEqual([{ loop: 'a', seed: 1, broken: [expect.stringContaining('no database')] }]);
});

test('a loop that always fails is stopped, and the others continue', async () => {
  const crash = loop('a', () => Promise.reject(new Error('no database')));
  const { plays, failures } = await playLoops([crash, breaksAt('b')], optionsFor(100));
  expect(failures.length).toBeLessThanOrEqual(10);
  expect(plays.get('b')).toBeGreaterThanOrEqual(90);
});

test('ends when every loop is stopped', async () => {
  const crash = loop('a', () => Promise.reject(new Error('no database')));
  const { failures } = await playLoops([crash], { ...optionsFor(0), isOver: () => false });
  expect(failures).toHaveLength(10);
});
