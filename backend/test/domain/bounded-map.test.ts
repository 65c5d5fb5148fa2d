import { expect, it } from 'vitest';
import { limitSize } from '../../src/domain/bounded-map.ts';

it('a bounded map keeps a maximum number of entries and removes the oldest ones', () => {
  const map = new Map<string, number>();
  for (const key of ['one', 'two', 'three', 'four']) limitSize(map, 3, key, key.length);
  expect([...map]).toEqual([
    ['two', 3],
    ['three', 5],
    ['four', 4],
  ]);
});

it('a bounded map removes nothing when it updates an existing key, and accepts undefined as a key', () => {
  const map = new Map<string | undefined, number>([
    [undefined, 1],
    ['two', 2],
  ]);
  limitSize(map, 2, 'two', 3);
  expect([...map.values()]).toEqual([1, 3]);
  limitSize(map, 2, 'three', 4);
  expect([...map.values()]).toEqual([3, 4]);
});
