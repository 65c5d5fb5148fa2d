import type { Limit } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { debit, freshBudget, nextUnitAt, reconcile, remaining } from '../../../src/queue/budget.ts';
import { at, DAY, HOUR, NO_LIMITS, NOW, SECOND } from './given.ts';

const fresh = freshBudget('c');

function quota(part: Partial<Limit> = {}): Limit {
  return { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 3_600, ...part };
}

function told(limit: Limit, budget = fresh, ms = 0) {
  return reconcile(budget, { date: NOW + ms, limits: { throttle: null, quota: limit } }, at(ms));
}

describe('a count that the service tells', () => {
  test('is taken where it is stricter than the ledger', () => {
    expect(remaining(told(quota({ remaining: 4 })), at())).toBe(4);
  });

  test('is not taken where the ledger is stricter', () => {
    const budget = debit(debit(fresh, at()), at());
    expect(remaining(told(quota({ remaining: 20 }), budget), at())).toBe(18);
  });

  test('goes down with every send, before any answer', () => {
    expect(remaining(debit(told(quota({ remaining: 4 })), at()), at())).toBe(3);
    const budget = told(quota({ remaining: 1 }));
    expect(remaining(debit(budget, at()), at())).toBe(0);
    expect(remaining(debit(debit(budget, at()), at()), at())).toBe(0);
  });

  test('holds until the reset it came with, and a second more for what Date leaves out', () => {
    const budget = told(quota({ remaining: 0, resetSeconds: 3_600 }));
    expect(nextUnitAt(budget, at())).toBe(NOW + HOUR + SECOND);
    expect(remaining(budget, at(HOUR + SECOND - 1))).toBe(0);
    expect(remaining(budget, at(HOUR + SECOND))).toBe(20);
  });

  test('tells where the window begins: what was sent before counts no more', () => {
    const budget = told(quota({ remaining: 1, resetSeconds: 3_600 }), debit(fresh, at(-2 * HOUR)));
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
    const budget = told(quota({ remaining: 0, resetSeconds: 86_400 }));
    expect(nextUnitAt(budget, at())).toBe(NOW + DAY + SECOND);
  });

  test('is dropped with the next answer that tells none', () => {
    const budget = told(quota({ remaining: null, resetSeconds: null }), told(quota({ remaining: 0 })));
    expect(remaining(budget, at())).toBe(20);
  });

  test.each([{ remaining: null }, { resetSeconds: null }])('is no count without the other half (%j)', (part) => {
    expect(told(quota(part)).told).toBeNull();
  });

  test('stays when an answer says nothing of limits', () => {
    const budget = told(quota({ remaining: 2 }));
    expect(remaining(reconcile(budget, { date: null, limits: NO_LIMITS }, at()), at())).toBe(2);
  });
});

describe('limits that the service tells', () => {
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

  test('of a day whose borders are not told get an hour more, of an hour none', () => {
    const untold = { remaining: null, resetSeconds: null };
    expect(told(quota(untold)).quota.windowMs).toBe(25 * HOUR);
    expect(told(quota({ ...untold, windowSeconds: 86_399 })).quota.windowMs).toBe(86_399 * SECOND);
    expect(told(quota({ windowSeconds: 86_400 })).quota.windowMs).toBe(DAY);
  });

  test('that were learnt stay learnt', () => {
    const throttle = { limit: 1, windowSeconds: 5, remaining: null, resetSeconds: null };
    const learnt = reconcile(fresh, { date: null, limits: { throttle, quota: quota({ limit: 7 }) } }, at());
    const after = reconcile(learnt, { date: null, limits: NO_LIMITS }, at());
    expect(after.gapMs).toBe(5_000);
    expect(after.quota.limit).toBe(7);
  });
});
