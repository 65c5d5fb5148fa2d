import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let randomBytes: (count: number) => Uint8Array;
beforeEach(async () => {
  vi.resetModules();
  ({ randomBytes } = await import('../../../src/queue/short-code-generator.ts'));
});
afterEach(() => {
  vi.resetModules();
  vi.restoreAllMocks();
});

test('bytes are returned once each, in any amount, with few calls to the random source', () => {
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

test("no caller can access another caller's bytes", () => {
  const first = randomBytes(16);
  const second = randomBytes(16);
  const kept = [...second];
  new Uint8Array(first.buffer).fill(0);
  expect([...second]).toEqual(kept);
  expect(first.buffer.byteLength).toBe(16);
});
