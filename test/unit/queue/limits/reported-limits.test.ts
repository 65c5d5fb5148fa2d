import type { Limit } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { newQuota, nextUnitAt, recordSend, remaining } from '../../../../src/queue/limits/daily-quota.ts';
import { applyReportedLimits, notAhead } from '../../../../src/queue/limits/reported-limits.ts';
import { aSend, at, DAY, HOUR, NO_LIMITS, NOW, SECOND } from '../support/queue-builders.ts';

const fresh = newQuota();

function quota(part: Partial<Limit> = {}): Limit {
  return { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 3_600, ...part };
}

function reporting(limit: Limit, budget = fresh, ms = 0) {
  return applyReportedLimits(budget, { date: NOW + ms, limits: { throttle: null, quota: limit } }, at(ms));
}

describe('a remaining count that the service reports', () => {
  test('is used if it is lower than our own count', () => {
    expect(remaining(reporting(quota({ remaining: 4 })), at())).toBe(4);
  });

  test('is not used if our own count is lower', () => {
    const budget = recordSend(recordSend(fresh, at()), at());
    expect(remaining(reporting(quota({ remaining: 20 }), budget), at())).toBe(18);
  });

  test('decreases with every send, before any response', () => {
    expect(remaining(recordSend(reporting(quota({ remaining: 4 })), at()), at())).toBe(3);
    const budget = reporting(quota({ remaining: 1 }));
    expect(remaining(recordSend(budget, at()), at())).toBe(0);
    expect(remaining(recordSend(recordSend(budget, at()), at()), at())).toBe(0);
  });

  test('is valid until its reset, plus a second because `Date` has whole seconds', () => {
    const budget = reporting(quota({ remaining: 0, resetSeconds: 3_600 }));
    expect(nextUnitAt(budget, at())).toBe(NOW + HOUR + SECOND);
    expect(remaining(budget, at(HOUR + SECOND - 1))).toBe(0);
    expect(remaining(budget, at(HOUR + SECOND))).toBe(20);
  });

  test('shows where the window begins, so earlier sends no longer count', () => {
    const budget = reporting(quota({ remaining: 1, resetSeconds: 3_600 }), recordSend(fresh, at(-2 * HOUR)));
    const spent = Array.from({ length: 20 }).reduce<typeof budget>(
      (sum) => recordSend(sum, at(2 * HOUR)),
      recordSend(budget, at()),
    );
    expect(remaining(spent, at(3 * HOUR))).toBe(0);
    expect(nextUnitAt(spent, at(3 * HOUR))).toBe(NOW + HOUR + SECOND + DAY);
    expect(remaining(spent, at(DAY + HOUR + SECOND - 1))).toBe(0);
    expect(remaining(spent, at(DAY + HOUR + SECOND))).toBe(20);
  });

  test('of a window that begins now is valid until its end', () => {
    const budget = reporting(quota({ remaining: 0, resetSeconds: 86_400 }));
    expect(nextUnitAt(budget, at())).toBe(NOW + DAY + SECOND);
    const dated = applyReportedLimits(budget, { date: NOW, limits: NO_LIMITS }, at());
    expect(nextUnitAt(dated, at())).toBe(NOW + DAY + SECOND);
  });

  test('is removed by the next response without a count', () => {
    const budget = reporting(quota({ remaining: null, resetSeconds: null }), reporting(quota({ remaining: 0 })));
    expect(remaining(budget, at())).toBe(20);
  });

  test.each([{ remaining: null }, { resetSeconds: null }])(
    'is ignored if the count or its reset time is missing (%j)',
    (part) => {
      expect(reporting(quota(part)).reported).toBeNull();
    },
  );

  test('stays if a response contains no limits', () => {
    const budget = reporting(quota({ remaining: 2 }));
    expect(remaining(applyReportedLimits(budget, { date: null, limits: NO_LIMITS }, at()), at())).toBe(2);
  });
});

test('the time of a send is corrected only if it is later than the response', () => {
  const [right, late] = [aSend(SECOND, false), aSend(SECOND + 1, false)];
  expect(notAhead(right, NOW)).toBe(right);
  expect(notAhead(late, NOW)).toEqual(aSend(SECOND, true));
  expect(notAhead(late, null)).toBe(late);
});

describe('limits that the service reports', () => {
  test("replace the specification's limits", () => {
    const throttle = { limit: 2, windowSeconds: 3, remaining: null, resetSeconds: null };
    const budget = applyReportedLimits(fresh, { date: null, limits: { throttle, quota: quota({ limit: 100 }) } }, at());
    expect(budget.gapMs).toBe(1_500);
    expect(budget.quota).toEqual({ limit: 100, windowMs: DAY });
  });

  test('round the pace up to whole milliseconds', () => {
    const throttle = { limit: 3, windowSeconds: 1, remaining: null, resetSeconds: null };
    expect(applyReportedLimits(fresh, { date: null, limits: { throttle, quota: null } }, at()).gapMs).toBe(334);
  });

  test('get an extra hour for a daily window without a known reset, but not for other windows', () => {
    const unreported = { remaining: null, resetSeconds: null };
    expect(reporting(quota(unreported)).quota.windowMs).toBe(25 * HOUR);
    expect(reporting(quota({ ...unreported, windowSeconds: 86_399 })).quota.windowMs).toBe(86_399 * SECOND);
    expect(reporting(quota({ windowSeconds: 86_400 })).quota.windowMs).toBe(DAY);
  });

  test('stay known after a response without limits', () => {
    const throttle = { limit: 1, windowSeconds: 5, remaining: null, resetSeconds: null };
    const learnt = applyReportedLimits(fresh, { date: null, limits: { throttle, quota: quota({ limit: 7 }) } }, at());
    const after = applyReportedLimits(learnt, { date: null, limits: NO_LIMITS }, at());
    expect(after.gapMs).toBe(5_000);
    expect(after.quota.limit).toBe(7);
  });
});
