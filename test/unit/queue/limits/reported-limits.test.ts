import type { Limit } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { newQuota, nextUnitAt, recordSend, remaining } from '../../../../src/queue/limits/daily-quota.ts';
import { applyReportedLimits } from '../../../../src/queue/limits/reported-limits.ts';
import { at, DAY, HOUR, NO_LIMITS, NOW, SECOND } from '../support/queue-builders.ts';

const fresh = newQuota();

function quota(part: Partial<Limit> = {}): Limit {
  return { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 3_600, ...part };
}

function reporting(limit: Limit, budget = fresh, ms = 0) {
  return applyReportedLimits(budget, { date: NOW + ms, limits: { throttle: null, quota: limit } }, at(ms));
}

describe('a count that the service reports', () => {
  test('is taken where it is stricter than the ledger', () => {
    expect(remaining(reporting(quota({ remaining: 4 })), at())).toBe(4);
  });

  test('is not taken where the ledger is stricter', () => {
    const budget = recordSend(recordSend(fresh, at()), at());
    expect(remaining(reporting(quota({ remaining: 20 }), budget), at())).toBe(18);
  });

  test('goes down with every send, before any answer', () => {
    expect(remaining(recordSend(reporting(quota({ remaining: 4 })), at()), at())).toBe(3);
    const budget = reporting(quota({ remaining: 1 }));
    expect(remaining(recordSend(budget, at()), at())).toBe(0);
    expect(remaining(recordSend(recordSend(budget, at()), at()), at())).toBe(0);
  });

  test('holds until the reset it came with, and a second more for what Date leaves out', () => {
    const budget = reporting(quota({ remaining: 0, resetSeconds: 3_600 }));
    expect(nextUnitAt(budget, at())).toBe(NOW + HOUR + SECOND);
    expect(remaining(budget, at(HOUR + SECOND - 1))).toBe(0);
    expect(remaining(budget, at(HOUR + SECOND))).toBe(20);
  });

  test('says where the window begins: what was sent before counts no more', () => {
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

  test('of a window that begins this very moment lasts until its end', () => {
    const budget = reporting(quota({ remaining: 0, resetSeconds: 86_400 }));
    expect(nextUnitAt(budget, at())).toBe(NOW + DAY + SECOND);
  });

  test('is dropped with the next answer that reports none', () => {
    const budget = reporting(quota({ remaining: null, resetSeconds: null }), reporting(quota({ remaining: 0 })));
    expect(remaining(budget, at())).toBe(20);
  });

  test.each([{ remaining: null }, { resetSeconds: null }])('is no count without the other half (%j)', (part) => {
    expect(reporting(quota(part)).reported).toBeNull();
  });

  test('stays when an answer says nothing of limits', () => {
    const budget = reporting(quota({ remaining: 2 }));
    expect(remaining(applyReportedLimits(budget, { date: null, limits: NO_LIMITS }, at()), at())).toBe(2);
  });
});

describe('limits that the service reports', () => {
  test('replace the specification’s', () => {
    const throttle = { limit: 2, windowSeconds: 3, remaining: null, resetSeconds: null };
    const budget = applyReportedLimits(fresh, { date: null, limits: { throttle, quota: quota({ limit: 100 }) } }, at());
    expect(budget.gapMs).toBe(1_500);
    expect(budget.quota).toEqual({ limit: 100, windowMs: DAY });
  });

  test('pace in whole milliseconds, rather too slow', () => {
    const throttle = { limit: 3, windowSeconds: 1, remaining: null, resetSeconds: null };
    expect(applyReportedLimits(fresh, { date: null, limits: { throttle, quota: null } }, at()).gapMs).toBe(334);
  });

  test('of a day whose borders are not reported get an hour more, of an hour none', () => {
    const unreported = { remaining: null, resetSeconds: null };
    expect(reporting(quota(unreported)).quota.windowMs).toBe(25 * HOUR);
    expect(reporting(quota({ ...unreported, windowSeconds: 86_399 })).quota.windowMs).toBe(86_399 * SECOND);
    expect(reporting(quota({ windowSeconds: 86_400 })).quota.windowMs).toBe(DAY);
  });

  test('that were learnt stay learnt', () => {
    const throttle = { limit: 1, windowSeconds: 5, remaining: null, resetSeconds: null };
    const learnt = applyReportedLimits(fresh, { date: null, limits: { throttle, quota: quota({ limit: 7 }) } }, at());
    const after = applyReportedLimits(learnt, { date: null, limits: NO_LIMITS }, at());
    expect(after.gapMs).toBe(5_000);
    expect(after.quota.limit).toBe(7);
  });
});
