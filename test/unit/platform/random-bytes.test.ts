import { expect, test, vi } from 'vitest';
import { randomBytes } from '../../../src/platform/random-bytes.ts';

test('bytes are given out once each, however many are asked for, and drawn seldom', () => {
  const drawn: number[] = [];
  const source = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    const bytes = array as unknown as Uint8Array;
    bytes.forEach((_, at) => {
      bytes[at] = drawn.length % 251;
      drawn.push(drawn.length % 251);
    });
    return array;
  });
  const given = Array.from({ length: 100 }, () => [...randomBytes(7)]);
  expect(given.every((bytes) => bytes.length === 7)).toBe(true);
  expect(given.flat()).toEqual(drawn.slice(0, 700));
  expect(source.mock.calls.length).toBeLessThan(10);
  expect(randomBytes(5_000)).toHaveLength(5_000);
});

test('bytes that were given out stay as they are', () => {
  const first = randomBytes(16);
  const kept = [...first];
  randomBytes(16).fill(0);
  expect([...first]).toEqual(kept);
});
