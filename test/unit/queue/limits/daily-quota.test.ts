import { describe, expect, test } from 'vitest';
import { newQuota, nextUnitAt, recordSend, remaining } from '../../../../src/queue/limits/daily-quota.ts';
import { MAX_OWN_LIMIT, withOwnLimits } from '../../../../src/queue/limits/own-limits.ts';
import type { Quota } from '../../../../src/queue/types.ts';
import { aSend, at, DAY, HOUR, NOW, specOnly } from '../support/queue-builders.ts';

/** Returns a quota with sends at each of these times, in milliseconds after `NOW`. */
function charged(times: number[], budget: Quota = newQuota()): Quota {
  return times.reduce((sum, ms) => recordSend(sum, at(ms)), budget);
}

describe('the quota of a service that reports no limits', () => {
  test('follows a safe reading of the specification: 20 sends in any 25 hours, one per second', () => {
    const budget = newQuota();
    expect(budget.gapMs).toBe(1_000);
    expect(remaining(budget, at())).toBe(20);
    expect(nextUnitAt(budget, at())).toBeNull();
  });

  test('decreases with every send, down to zero', () => {
    const budget = charged(Array(20).fill(0));
    expect(remaining(charged([0, 1, 2]), at(3))).toBe(17);
    expect(remaining(budget, at())).toBe(0);
    expect(remaining(charged([0], budget), at())).toBe(0);
  });

  test('regains a send after exactly 25 hours, not a millisecond earlier', () => {
    const budget = charged([0, HOUR, ...Array(18).fill(2 * HOUR)]);
    expect(nextUnitAt(budget, at(3 * HOUR))).toBe(NOW + 25 * HOUR);
    expect(remaining(budget, at(25 * HOUR - 1))).toBe(0);
    expect(remaining(budget, at(25 * HOUR))).toBe(1);
    expect(nextUnitAt(budget, at(25 * HOUR))).toBe(NOW + 26 * HOUR);
    expect(remaining(budget, at(26 * HOUR))).toBe(2);
    expect(remaining(budget, at(27 * HOUR))).toBe(20);
  });

  test('decreases with every send even if the clock stands still', () => {
    expect(remaining(charged([0, 0, 0]), at())).toBe(17);
  });

  test('removes only expired sends from its history at the next send', () => {
    const budget = charged([0, HOUR]);
    expect(charged([25 * HOUR - 1], budget).sends).toHaveLength(3);
    expect(charged([25 * HOUR], budget).sends).toHaveLength(2);
    expect(charged([26 * HOUR], budget).sends).toHaveLength(1);
  });
});

describe('the quota of a service with its own window', () => {
  const hourly = { ...newQuota(), quota: { limit: 3, windowMs: HOUR } };

  test('regains a send after the window of the service', () => {
    const budget = charged([0, 1, 2], hourly);
    expect(remaining(budget, at(HOUR - 1))).toBe(0);
    expect(remaining(budget, at(HOUR))).toBe(1);
  });

  test('keeps its history for as long as any interpretation may count the sends', () => {
    expect(charged([25 * HOUR - 1], charged([0], hourly)).sends).toHaveLength(2);
    const weekly = { ...newQuota(), quota: { limit: 3, windowMs: 7 * DAY } };
    expect(charged([7 * DAY - 1], charged([0], weekly)).sends).toHaveLength(2);
  });

  test('keeps at most as many sends as its limit, even if the limit is in the thousands', () => {
    const large = { ...newQuota(), quota: { limit: 2_001, windowMs: HOUR } };
    const budget = charged(Array(2_010).fill(0), large);
    expect(remaining(budget, at())).toBe(2_001);
    expect(budget.sends).toHaveLength(2_001);
    const smaller = { ...large, quota: { limit: 2_000, windowMs: HOUR } };
    expect(remaining(charged(Array(5).fill(0), smaller), at())).toBe(1_995);
  });
});

describe('the user’s own daily limit', () => {
  test.each([MAX_OWN_LIMIT - 1, MAX_OWN_LIMIT, 3_000])('of %i links allows the last link and no more', (perDay) => {
    const limited = withOwnLimits(newQuota(), { ...specOnly, kind: 'kutt', limits: { perSecond: null, perDay } });
    const sends = Array.from({ length: Math.min(perDay, MAX_OWN_LIMIT) - 1 }, (_, ms) => aSend(ms));
    const almost = { ...limited, sends };
    expect(remaining(almost, at(HOUR))).toBe(1);
    expect(remaining(recordSend(almost, at(HOUR)), at(HOUR))).toBe(0);
  });
});
