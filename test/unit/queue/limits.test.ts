import type { Limit } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import {
  applyReportedLimits,
  backoff,
  correctTimes,
  isUnlimited,
  MAX_OWN_LIMIT,
  newLimits,
  nextUnitAt,
  recordSend,
  remaining,
  retryDelay,
  withOwnLimits,
} from '../../../src/queue/limits.ts';
import type { Connection, Limits } from '../../../src/queue/types.ts';
import {
  aQueue,
  aRequest,
  at,
  DAY,
  fullService,
  HOUR,
  MINUTE,
  NO_LIMITS,
  NOW,
  SECOND,
  specOnly,
} from './support/queue-builders.ts';

/** Returns limits with sends at each of these times, in milliseconds after `NOW`. */
function charged(times: number[], limits: Limits = newLimits()): Limits {
  return times.reduce((sum, ms) => recordSend(sum, at(ms)), limits);
}

function reporting(part: Partial<Limit>, limits: Limits = newLimits()): Limits {
  const quota = { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 3_600, ...part };
  return applyReportedLimits(limits, { throttle: null, quota }, at());
}

describe('the quota of a service that reports no limits', () => {
  test('follows a safe reading of the specification: 20 sends in any 25 hours, one per second', () => {
    expect(newLimits().gapMs).toBe(1_000);
    expect(remaining(newLimits(), at())).toBe(20);
    expect(nextUnitAt(newLimits(), at())).toBeNull();
  });

  test('decreases with every send, down to zero, even if the clock stands still', () => {
    const spent = charged(Array(20).fill(0));
    expect(remaining(charged([0, 0, 0]), at())).toBe(17);
    expect(remaining(spent, at())).toBe(0);
    expect(remaining(charged([0], spent), at())).toBe(0);
  });

  test('regains a send after exactly 25 hours, not a millisecond earlier', () => {
    const limits = charged([0, HOUR, ...Array(18).fill(2 * HOUR)]);
    expect(nextUnitAt(limits, at(3 * HOUR))).toBe(at(25 * HOUR));
    expect(remaining(limits, at(25 * HOUR - 1))).toBe(0);
    expect(remaining(limits, at(25 * HOUR))).toBe(1);
    expect(nextUnitAt(limits, at(25 * HOUR))).toBe(at(26 * HOUR));
    expect(remaining(limits, at(27 * HOUR))).toBe(20);
  });

  test('keeps the sends of 25 hours, and at most 2,000', () => {
    expect(charged([25 * HOUR - 1], charged([0, HOUR])).sends).toHaveLength(3);
    expect(charged([25 * HOUR], charged([0, HOUR])).sends).toHaveLength(2);
    const large = { ...newLimits(), perDay: 2_001 };
    expect(charged(Array(2_010).fill(0), large).sends).toHaveLength(2_000);
    expect(remaining(charged(Array(2_010).fill(0), large), at())).toBe(2_001);
  });
});

describe('a remaining count that the service reports', () => {
  test('is reduced by the sends since, and alone applies until its reset', () => {
    expect(remaining(reporting({ remaining: 4 }), at())).toBe(4);
    expect(remaining(reporting({ remaining: 20 }, charged([0, 0])), at())).toBe(20);
    expect(remaining(recordSend(reporting({ remaining: 4 }), at()), at())).toBe(3);
    expect(remaining(charged([0, 0], reporting({ remaining: 1 })), at())).toBe(0);
  });

  test('ends at its reset, when earlier sends no longer count', () => {
    const limits = charged([-2 * HOUR, -1], newLimits());
    const spent = reporting({ remaining: 0 }, limits);
    expect(nextUnitAt(spent, at())).toBe(at(HOUR));
    expect(remaining(spent, at(HOUR - 1))).toBe(0);
    expect(remaining(spent, at(HOUR))).toBe(20);
    const spentAgain = charged(Array(20).fill(HOUR), spent);
    expect(remaining(spentAgain, at(2 * HOUR))).toBe(0);
    expect(nextUnitAt(spentAgain, at(2 * HOUR))).toBe(at(26 * HOUR));
  });

  test('counts a send just before the reset for the next day too, because it may have arrived after the reset', () => {
    const limits = charged([HOUR - 20 * SECOND], reporting({ remaining: 1 }));
    expect(remaining(limits, at(HOUR))).toBe(19);
  });

  test.each([{ remaining: null }, { resetSeconds: null }])('is ignored if it is incomplete (%j)', (part) => {
    expect(reporting(part, reporting({ remaining: 0 })).reported).toBeNull();
  });
});

describe('limits that the service reports', () => {
  const throttle = { limit: 2, windowSeconds: 3, remaining: null, resetSeconds: null };

  test("replace the specification's limits, and stay after a response without limits", () => {
    const quota = { limit: 100, windowSeconds: 86_400, remaining: 99, resetSeconds: 60 };
    const limits = applyReportedLimits(newLimits(), { throttle, quota }, at());
    expect(limits).toMatchObject({ gapMs: 1_500, perDay: 100, reported: { remaining: 99 } });
    expect(applyReportedLimits(limits, NO_LIMITS, at())).toEqual(limits);
  });

  test('round the pace up to whole milliseconds', () => {
    const three = { ...throttle, limit: 3, windowSeconds: 1 };
    expect(applyReportedLimits(newLimits(), { throttle: three, quota: null }, at()).gapMs).toBe(334);
  });
});

describe('the user’s own limits', () => {
  const limitsWith = (part: Partial<Connection>, limits = newLimits()) =>
    withOwnLimits(limits, { ...specOnly, kind: 'kutt', ...part });

  test('set the pace and the quota of a server that reports none, and both are optional', () => {
    expect(limitsWith({ limits: { perSecond: 0.3, perDay: 5 } })).toMatchObject({ gapMs: 3_334, perDay: 5 });
    const none = limitsWith({});
    expect([none.gapMs, isUnlimited(none.perDay), remaining(none, at()) > MAX_OWN_LIMIT]).toEqual([0, true, true]);
    expect(isUnlimited(newLimits().perDay)).toBe(false);
  });

  test('end when the server turns out to have limits, and its quota counts the sends until then', () => {
    expect(limitsWith({ kind: 'terse' }, charged([0], limitsWith({})))).toEqual(charged([0]));
    expect(limitsWith({ kind: 'terse' }, reporting({ limit: 5 }))).toEqual(reporting({ limit: 5 }));
  });

  test.each([MAX_OWN_LIMIT - 1, MAX_OWN_LIMIT, 3_000])('of %i links allows the last link and no more', (perDay) => {
    const limited = withOwnLimits(newLimits(), { ...specOnly, kind: 'kutt', limits: { perSecond: null, perDay } });
    const sends = Array.from({ length: Math.min(perDay, MAX_OWN_LIMIT) - 1 }, (_, ms) => at(ms));
    const almost = { ...limited, sends };
    expect(remaining(almost, at(HOUR))).toBe(1);
    expect(remaining(recordSend(almost, at(HOUR)), at(HOUR))).toBe(0);
  });
});

test('a request is sent three times a day, after growing delays', () => {
  expect([0, 1, 2, 3, 4, 6].map((attempts) => retryDelay(attempts, 0.5))).toEqual([
    0,
    2_250,
    22_500,
    25 * HOUR,
    2_250,
    25 * HOUR,
  ]);
  expect([1, 2, 3, 9].map((failures) => backoff(failures, 1))).toEqual([3_000, 30_000, 300_000, 300_000]);
});

describe('a clock that was set back', () => {
  const queue = aQueue({
    connection: { ...fullService(), serviceReadAt: NOW - MINUTE, lastSeenWellAt: NOW - 30_000 },
    state: { lastEndedAt: NOW - 400, wait: { until: NOW + 9_000, reason: 'busy', named: true } },
    requests: [aRequest('a', { retryAt: NOW + MINUTE })],
    limits: { reported: { remaining: 3, resetAt: NOW + HOUR }, sends: [at(-5_000)] },
  });

  test('leaves no past time in the future, and the waits that the server requested keep their length', () => {
    const back = at(-3 * DAY);
    expect(correctTimes(queue, back)).toMatchObject({
      connection: { serviceReadAt: null, lastSeenWellAt: back },
      state: { lastEndedAt: back, wait: { until: back + 9_400 } },
      requests: [{ retryAt: back + 5 * MINUTE }],
      limits: { reported: { remaining: 3, resetAt: back + HOUR + 400 }, sends: [back] },
    });
    const guessed = { ...queue.state, wait: { until: NOW, reason: 'unreachable', named: false } as const };
    expect(correctTimes({ ...queue, state: guessed }, back).state.wait).toBeNull();
  });

  test('by a second hides neither the delay before a look-up nor what the server reported about the quota', () => {
    const spentYesterday = { ...queue.limits, perDay: 20, sends: Array.from({ length: 20 }, () => at(-20 * HOUR)) };
    const back = at(-1_000);
    const { requests, limits } = correctTimes({ ...queue, limits: spentYesterday }, back);
    expect(requests).toMatchObject([{ retryAt: NOW + MINUTE }]);
    expect(remaining(limits, back)).toBe(3);
  });

  test('leaves no send of a request in the future, so that its look-up is soon and its key expires', () => {
    const back = at(-3 * DAY);
    const sent = { path: '/api/v1/urls', item: { url: 'https://a.example/' }, firstAt: at(-1), lastAt: at() } as const;
    const [request] = correctTimes({ ...queue, requests: [aRequest('a', { sent })] }, back).requests;
    expect(request?.sent).toEqual({ ...sent, firstAt: back, lastAt: back });
  });

  test('is detected by each time that is in the future, and by a wait of more than a day', () => {
    const past = aQueue({ connection: { ...specOnly, serviceReadAt: at() }, state: { lastEndedAt: at() } });
    expect(correctTimes(past, at())).toBe(past);
    for (const part of [{ serviceReadAt: at(1) }, { lastSeenWellAt: at(1) }]) {
      const queue = { ...past, connection: { ...past.connection, ...part } };
      expect(correctTimes(queue, at()).connection).toMatchObject({ serviceReadAt: null });
    }
    expect(correctTimes(aQueue({ state: { lastEndedAt: at(1) } }), at()).state.lastEndedAt).toBe(at());
    const waiting = (ms: number) => aQueue({ state: { wait: { until: at(ms), reason: 'quota', named: true } } });
    expect(correctTimes(waiting(DAY), at())).toEqual(waiting(DAY));
    expect(correctTimes(waiting(DAY + 1), at()).state.wait?.until).toBe(at(DAY));
  });

  test.each([
    [1, 5 * MINUTE],
    [3, 25 * HOUR],
  ])('is detected by the delay of a request after a look-up, after this many sends: %i', (attempts, longest) => {
    const looked = (ms: number) => aQueue({ requests: [aRequest('a', { attempts, retryAt: at(ms) })] });
    expect(correctTimes(looked(longest), at())).toEqual(looked(longest));
    expect(correctTimes(looked(longest + 1), at()).requests).toEqual(looked(longest).requests);
  });

  test('is distinguished from a clock that continued or stood still', () => {
    for (const now of [at(), at(HOUR)]) expect(correctTimes(queue, now)).toBe(queue);
  });
});
