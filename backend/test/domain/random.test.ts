import { expect, it } from 'vitest';
import { systemRandom } from '../../src/domain/clock-and-random.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it('the random source returns any requested number of bytes', () => {
  for (const count of [0, 1, 16, 4095, 4096, 4097, 100_000]) expect(systemRandom(count)).toHaveLength(count);
});

it('the random source never returns a byte twice, and does not share its buffer', () => {
  const drawn = Array.from({ length: 2000 }, () => systemRandom(16));
  const texts = drawn.map(hex);
  expect(new Set(texts).size).toBe(2000);
  systemRandom(5000);
  expect(drawn.map(hex)).toEqual(texts);
});
