import type { Limit } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { debit, freshBudget, nextUnitAt, remaining } from '../../../src/queue/budget.ts';
import { reconcile } from '../../../src/queue/reconcile.ts';
import { at, DAY, HOUR, NO_LIMITS, NOW, SECOND } from './given.ts';

const fresh = freshBudget();

function quota(part: Partial<Limit> = {}): Limit {
  return { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 3_600, ...part };
}

function reporting(limit: Limit, budget = fresh, ms = 0) {
  return reconcile(budget, { date: NOW + ms, limits: { throttle: null, quota: limit } }, at(ms));
}

describe('a count that the service reports', () => {
  test('is taken where it is stricter than the ledger', () => {
    expect(remaining(reporting(quota({ remaining: 4 })), at())).toBe(4);
  });

  test('is not taken where the ledger is stricter', () => {
    const budget = debit(debit(fresh, at()), at());
    expect(remaining(reporting(quota({ remaining: 20 }), budget), at())).toBe(18);
  });

  test('goes down with every send, before any answer', () => {
    expect(remaining(debit(reporting(quota({ remaining: 4 })), at()), at())).toBe(3);
    const budget = reporting(quota({ remaining: 1 }));
    expect(remaining(debit(budget, at()), at())).toBe(0);
    expect(remaining(debit(debit(budget, at()), at()), at())).toBe(0);
  });

  test('holds until the reset it came with, and a second more for what Date leaves out', () => {
    const budget = reporting(quota({ remaining: 0, resetSeconds: 3_600 }));
    expect(nextUnitAt(budget, at())).toBe(NOW + HOUR + SECOND);
    expect(remaining(budget, at(HOUR + SECOND - 1))).toBe(0);
    expect(remaining(budget, at(HOUR + SECOND))).toBe(20);
  });

  test('says where the window begins: what was sent before counts no more', () => {
    const budget = reporting(quota({ remaining: 1, resetSeconds: 3_600 }), debit(fresh, at(-2 * HOUR)));
    const spent = Array.from({ length: 20 }).reduce<typeof budget>(
      (sum) => debit(sum, at(2 * HOUR)),
      debit(budget, at()),
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
    expect(remaining(reconcile(budget, { date: null, limits: NO_LIMITS }, at()), at())).toBe(2);
  });
});

describe('limits that the service reports', () => {
  test('replace the specification’s', () => {
    const throttle = { limit: 2, windowSeconds: 3, remaining: null, resetSeconds: null };
    const budget = reconcile(fresh, { date: null, limits: { throttle, quota: quota({ limit: 100 }) } }, at());
    expect(budget.gapMs).toBe(1_500);
    expect(budget.quota).toEqual({ limit: 100, windowMs: DAY });
  });

  test('pace in whole milliseconds, rather too slow', () => {
    const throttle = { limit: 3, windowSeconds: 1, remaining: null, resetSeconds: null };
    expect(reconcile(fresh, { date: null, limits: { throttle, quota: null } }, at()).gapMs).toBe(334);
  });

  test('of a day whose borders are not reported get an hour more, of an hour none', () => {
    const unreported = { remaining: null, resetSeconds: null };
    expect(reporting(quota(unreported)).quota.windowMs).toBe(25 * HOUR);
    expect(reporting(quota({ ...unreported, windowSeconds: 86_399 })).quota.windowMs).toBe(86_399 * SECOND);
    expect(reporting(quota({ windowSeconds: 86_400 })).quota.windowMs).toBe(DAY);
  });

  test('that were learnt stay learnt', () => {
    const throttle = { limit: 1, windowSeconds: 5, remaining: null, resetSeconds: null };
    const learnt = reconcile(fresh, { date: null, limits: { throttle, quota: quota({ limit: 7 }) } }, at());
    const after = reconcile(learnt, { date: null, limits: NO_LIMITS }, at());
    expect(after.gapMs).toBe(5_000);
    expect(after.quota.limit).toBe(7);
  });
});
