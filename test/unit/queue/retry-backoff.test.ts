import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  attemptBackoff,
  gatewayBackoff,
  quotaBackoff,
  refusedBackoff,
  unreachableBackoff,
} from '../../../src/queue/retry-backoff.ts';
import { HOUR, MINUTE, SECOND } from './support/queue-builders.ts';

const ALMOST_ONE = 0.999999999;

test('an unreachable service is retried after 1 to 2 seconds, then with doubled delays of up to 5 minutes', () => {
  expect([1, 2, 3, 7, 8, 9, 99].map((failures) => unreachableBackoff(failures, ALMOST_ONE))).toEqual([
    2 * SECOND,
    4 * SECOND,
    8 * SECOND,
    128 * SECOND,
    256 * SECOND,
    300 * SECOND,
    300 * SECOND,
  ]);
  expect(unreachableBackoff(1, 0)).toBe(SECOND);
});

test('a refusal costs quota, so its delay grows sixfold each time, up to an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 99].map((failures) => refusedBackoff(failures, ALMOST_ONE))).toEqual([
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

test('a spent quota resets daily, so its delay starts at an hour and doubles up to six hours', () => {
  expect([1, 2, 3, 4, 99].map((failures) => quotaBackoff(failures, ALMOST_ONE))).toEqual([
    HOUR,
    2 * HOUR,
    4 * HOUR,
    6 * HOUR,
    6 * HOUR,
  ]);
  expect(quotaBackoff(1, 0)).toBe(HOUR / 2);
});

test('an attempt without a response is repeated after 3 seconds, 1 minute, 10 minutes, 1 hour and 6 hours', () => {
  const later = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 6 * HOUR];
  expect([0, 1, 2, 3, 4, 99].map(attemptBackoff)).toEqual([3 * SECOND, ...later]);
  expect([0, 1, 2, 3, 99].map(gatewayBackoff)).toEqual(later);
});

test('chance varies the upper half of a delay, which is at least a second', () => {
  const chance = fc.double({ min: 0, max: ALMOST_ONE, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), chance, (failures, drawn) => {
      for (const wait of [unreachableBackoff, refusedBackoff, quotaBackoff]) {
        expect(wait(failures, drawn)).toBeGreaterThanOrEqual(wait(failures, 0));
        expect(wait(failures, drawn)).toBeLessThanOrEqual(2 * wait(failures, 0));
        expect(wait(failures, 0)).toBeGreaterThanOrEqual(SECOND);
      }
    }),
  );
});
