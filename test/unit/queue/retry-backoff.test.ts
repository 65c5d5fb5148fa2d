import { expect, test } from 'vitest';
import { backoff } from '../../../src/queue/retry-backoff.ts';
import { MINUTE, SECOND } from './support/queue-builders.ts';

const ALMOST_ONE = 0.999999999;

test('the delay is 3 seconds, 30 seconds and then 5 minutes, of which half is random', () => {
  const delays = (random: number) => [1, 2, 3, 4, 2_000].map((failures) => backoff(failures, random));
  expect(delays(ALMOST_ONE)).toEqual([3 * SECOND, 30 * SECOND, 5 * MINUTE, 5 * MINUTE, 5 * MINUTE]);
  expect(delays(0)).toEqual([1.5 * SECOND, 15 * SECOND, 2.5 * MINUTE, 2.5 * MINUTE, 2.5 * MINUTE]);
});
