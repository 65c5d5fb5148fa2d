import { expect, it } from 'vitest';
import { systemRandom } from '../../src/domain/clock-and-random.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it('gives as many bytes as are asked for, however many', () => {
  for (const count of [0, 1, 16, 4095, 4096, 4097, 100_000]) expect(systemRandom(count)).toHaveLength(count);
});

it('never gives a byte twice, nor takes one back', () => {
  const drawn = Array.from({ length: 2000 }, () => systemRandom(16));
  const texts = drawn.map(hex);
  expect(new Set(texts).size).toBe(2000);
  systemRandom(5000);
  expect(drawn.map(hex)).toEqual(texts);
});
