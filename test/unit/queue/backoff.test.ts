import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoff, refusedBackoff } from '../../../src/queue/backoff.ts';
import { HOUR, SECOND } from './given.ts';

test('a service that is not there is tried after 1 to 2 seconds, then twice as late each time, up to 5 minutes', () => {
  expect([1, 2, 3, 7, 8, 9, 99].map((failures) => backoff(failures, 0.999999))).toEqual([
    2 * SECOND,
    4 * SECOND,
    8 * SECOND,
    128 * SECOND,
    256 * SECOND,
    300 * SECOND,
    300 * SECOND,
  ]);
  expect(backoff(1, 0)).toBe(SECOND);
});

test('a refusal costs budget, so it is left alone six times longer each time, up to an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 99].map((failures) => refusedBackoff(failures, 0.9999999))).toEqual([
    2 * SECOND,
    12 * SECOND,
    72 * SECOND,
    432 * SECOND,
    2_592 * SECOND,
    HOUR,
    HOUR,
  ]);
  expect(refusedBackoff(1, 0)).toBe(SECOND);
});

test('chance spreads the upper half, and never takes a wait below a second', () => {
  const chance = fc.double({ min: 0, max: 0.999999, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), chance, (failures, drawn) => {
      for (const wait of [backoff, refusedBackoff]) {
        expect(wait(failures, drawn)).toBeGreaterThanOrEqual(wait(failures, 0));
        expect(wait(failures, drawn)).toBeLessThanOrEqual(2 * wait(failures, 0));
        expect(wait(failures, 0)).toBeGreaterThanOrEqual(SECOND);
      }
    }),
  );
});
