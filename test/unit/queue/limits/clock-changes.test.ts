import { describe, expect, test } from 'vitest';
import {
  needsConfirmation,
  newQuota,
  nextUnitAt,
  recordSend,
  remaining,
  serviceTime,
} from '../../../../src/queue/limits/daily-quota.ts';
import { applyReportedLimits, trustLocalClock } from '../../../../src/queue/limits/reported-limits.ts';
import type { Quota, Time } from '../../../../src/queue/types.ts';
import { at, DAY, HOUR, NO_LIMITS, NOW, SECOND } from '../support/queue-builders.ts';

/** Returns the quota after a response that the service sent when its clock showed `service`. */
function dated(budget: Quota, service: number, time: Time): Quota {
  return applyReportedLimits(budget, { date: service, limits: NO_LIMITS }, time);
}

function spent(budget: Quota, time: Time): Quota {
  return Array.from({ length: 20 }).reduce<Quota>((sum) => recordSend(sum, time), budget);
}

describe("the service's time", () => {
  test('is the local time until the service has reported a time', () => {
    expect(serviceTime(newQuota(), at(5))).toBe(NOW + 5);
  });

  test('continues from the reported time', () => {
    const budget = dated(newQuota(), NOW - DAY, at());
    expect(serviceTime(budget, at(700))).toBe(NOW - DAY + 700);
  });

  test('never runs backwards if the local clock is set back', () => {
    const budget = dated(newQuota(), NOW, at());
    expect(serviceTime(budget, at(-HOUR, 'second'))).toBe(NOW);
  });
});

describe('a send', () => {
  test('is dated by the response to it, to the end of the second in the `Date` header', () => {
    const budget = dated(recordSend(newQuota(), at()), NOW + 7 * SECOND, at(7 * SECOND));
    expect(budget.sends).toEqual([{ atService: NOW + 8 * SECOND, confirmed: true }]);
  });

  test('is dated once, and later responses do not make it newer', () => {
    const once = dated(recordSend(newQuota(), at()), NOW, at());
    expect(dated(once, NOW + HOUR, at(HOUR)).sends).toEqual(once.sends);
  });

  test('has no confirmed time while the service reports no time', () => {
    const budget = applyReportedLimits(recordSend(newQuota(), at()), { date: null, limits: NO_LIMITS }, at());
    expect(budget.sends).toEqual([{ atService: NOW, confirmed: false }]);
    expect(budget.clockSample).toBeNull();
  });

  test('is corrected if the clock that dated it was years ahead, and counts for one more window', () => {
    const ahead = dated(spent(newQuota(), at()), NOW + 900 * DAY, at());
    const righted = dated(ahead, NOW + SECOND, at(SECOND));
    expect(remaining(righted, at(2 * SECOND))).toBe(0);
    expect(remaining(righted, at(25 * HOUR + 2 * SECOND))).toBe(20);
  });

  test('counts for at most one reported window, even with a clock that was ahead', () => {
    const quota = { limit: 20, windowSeconds: 86_400, remaining: 0, resetSeconds: 60 };
    const ahead = applyReportedLimits(newQuota(), { date: NOW + 900 * DAY, limits: { throttle: null, quota } }, at());
    expect(remaining(dated(ahead, NOW, at()), at(DAY + SECOND))).toBe(20);
  });
});

describe('time that passed between two workers', () => {
  const used = dated(spent(newQuota(), at()), NOW, at());

  test('resets no quota before a probe of the service has confirmed it', () => {
    expect(needsConfirmation(used, at(HOUR))).toBe(false);
    expect(needsConfirmation(used, at(2 * DAY, 'second'))).toBe(true);
    expect(remaining(dated(used, NOW + HOUR, at(2 * DAY, 'second')), at(2 * DAY, 'second'))).toBe(0);
    expect(remaining(dated(used, NOW + 2 * DAY, at(2 * DAY, 'second')), at(2 * DAY, 'second'))).toBe(20);
  });

  test('needs no probe while enough quota is left', () => {
    const allButOne = Array.from({ length: 19 }).reduce<Quota>((sum) => recordSend(sum, at()), newQuota());
    expect(needsConfirmation(dated(allButOne, NOW, at()), at(2 * DAY, 'second'))).toBe(false);
  });

  test('needs no probe if the service has never reported a time', () => {
    expect(needsConfirmation(spent(newQuota(), at()), at(2 * DAY, 'second'))).toBe(false);
  });

  test('removes no send from the history, however much time seems to have passed', () => {
    expect(recordSend(used, at(9 * DAY, 'second')).sends).toHaveLength(21);
    expect(recordSend(used, at(9 * DAY)).sends).toHaveLength(1);
  });

  test('is trusted after a probe without a time, because only the local clock exists', () => {
    const trusted = trustLocalClock(used, at(2 * DAY, 'second'));
    expect(needsConfirmation(trusted, at(2 * DAY, 'second'))).toBe(false);
    expect(remaining(trusted, at(2 * DAY, 'second'))).toBe(20);
    const unreported = newQuota();
    expect(trustLocalClock(unreported, at())).toBe(unreported);
  });

  test('resets no quota early if the clock was set back', () => {
    const back = at(-3 * DAY, 'second');
    expect(remaining(used, back)).toBe(0);
    expect(nextUnitAt(used, back)).toBe(back.now + 25 * HOUR + SECOND);
  });
});
