import { describe, expect, test } from 'vitest';
import { recover } from '../../../src/queue/crash-recovery.ts';
import { withClock } from '../../../src/queue/limits/clock-changes.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import {
  anAttempt,
  anOpenAttempt,
  aQueue,
  aRequest,
  aSend,
  at,
  DAY,
  fullService,
  HOUR,
  MINUTE,
  NOW,
  sending,
  statesOf,
  unanswered,
} from './support/queue-builders.ts';

const later = at(3_000, 'second');
/** Longer than any send, so that an idle background worker stays alive. */
const idle = at(20_000, 'second');

describe('a request that a dead worker left in flight', () => {
  test('is left to the user if it cannot be repeated safely, and its attempt ends now', () => {
    const after = recover(sending(['a', 'b'], { requests: [aRequest('w')] }), later);
    expect(statesOf(after)).toEqual(['a undecided', 'b undecided', 'w waiting']);
    expect(after.requests[0]?.problem).toEqual({ code: 'interrupted', message: '' });
    expect(after.attempts).toEqual([]);
    expect(after.state.lastEndedAt).toBe(later.now);
  });

  test('is sent again if the service supports idempotency keys', () => {
    const before = sending(['a'], { connection: fullService() });
    const after = recover(before, later);
    expect(after.attempts).toEqual([{ ...before.attempts[0], inFlight: false }]);
    expect(after.requests).toMatchObject([{ state: 'unanswered', problem: { code: 'interrupted', message: '' } }]);
  });

  test('is left to the user after the sixth send', () => {
    const inFlight = (sends: number) => sending(['a'], { connection: fullService(), attempt: { sends } });
    expect(statesOf(recover(inFlight(5), later))).toEqual(['a unanswered']);
    expect(statesOf(recover(inFlight(6), later))).toEqual(['a undecided']);
    expect(recover(inFlight(6), later).attempts).toEqual([]);
  });

  test('is uncertain even if its attempt is missing', () => {
    const before = aQueue({ requests: [aRequest('a', { state: 'sending' })] });
    expect(statesOf(recover(before, later))).toEqual(['a undecided']);
  });
});

describe('if a dead worker left nothing in flight', () => {
  test('the queue and its pace stay unchanged', () => {
    const requests = [aRequest('w'), aRequest('f', { state: 'failed' }), aRequest('u', { state: 'undecided' })];
    const before = aQueue({ requests, state: { lastEndedAt: NOW, latestTime: NOW } });
    expect(recover(before, idle)).toBe(before);
  });

  test('the pace counts from now if the last send was less than 20 seconds ago', () => {
    const endedAt = (lastEndedAt: number | null) =>
      recover(aQueue({ state: { lastEndedAt } }), later).state.lastEndedAt;
    expect(endedAt(later.now - 19_999)).toBe(later.now);
    expect(endedAt(later.now - 20_000)).toBe(later.now - 20_000);
    expect(endedAt(null)).toBeNull();
  });

  test('an open attempt stays open, and the pace does not count from now', () => {
    const before = unanswered(['a'], { state: { lastEndedAt: NOW } });
    expect(recover(before, idle)).toBe(before);
  });
});

describe('a clock that was set back', () => {
  const before = unanswered(['a'], {
    connection: { ...fullService(), serviceReadAt: NOW - MINUTE, lastSeenWellAt: NOW - 30_000 },
    state: { latestTime: NOW, lastEndedAt: NOW - 400, pause: { until: NOW + 9_000, reason: 'busy', named: true } },
    attempt: { parkedUntil: NOW + MINUTE, firstSend: aSend(-5_000, false) },
    budget: { reported: { remaining: 3, resetAtService: NOW + HOUR, windowMs: DAY } },
  });
  const requests = before.requests.map((request) => ({ ...request, sends: [aSend(-5_000, false)] }));
  const queue = { ...before, requests };
  const back = at(-HOUR, 'second');

  test('changes neither the length of delays nor the age of requests', () => {
    expect(withClock(queue, back)).toMatchObject({
      connection: { serviceReadAt: back.now - MINUTE, lastSeenWellAt: back.now - 30_000 },
      state: { latestTime: back.now, lastEndedAt: back.now - 400, pause: { until: back.now + 9_000 } },
      attempts: [{ parkedUntil: back.now + MINUTE, firstSend: { atService: back.now - 5_000 } }],
      requests: [{ sends: [{ atService: back.now - 5_000 }] }],
      budget: { reported: { remaining: 3, resetAtService: back.now + HOUR, windowMs: DAY } },
    });
  });

  test("does not affect times of the service's clock", () => {
    const clockSample = { local: NOW - 10, service: NOW + HOUR, workerId: 'first' };
    const moved = withClock({ ...queue, budget: { ...queue.budget, clockSample } }, back);
    expect(moved.budget.clockSample).toEqual({ ...clockSample, local: back.now - 10 });
    expect(moved.attempts[0]?.firstSend).toEqual(aSend(-5_000, false));
    expect(moved.requests).toBe(queue.requests);
  });

  test('does not affect times that are not set', () => {
    const moved = withClock(aQueue({ state: { latestTime: NOW } }), back);
    expect(moved.state).toMatchObject({ lastEndedAt: null, pause: null });
  });

  test('is distinguished from a clock that continued or stood still', () => {
    for (const time of [at(0, 'second'), at(HOUR, 'second')]) expect(withClock(queue, time)).toBe(queue);
  });

  test('that was 26 hours ahead causes no long delays', () => {
    const ahead = NOW + 26 * HOUR;
    const sends = Array.from({ length: 20 }, () => ({ atService: ahead - HOUR, confirmed: false }));
    const early = aQueue({ requests: [aRequest('w')], budget: { sends }, state: { latestTime: ahead } });
    const right = withClock({ ...early, state: { ...early.state, lastEndedAt: ahead - 10 } }, at());
    const around = { online: true, reachedAt: NOW };
    expect(nextStep(right, at(), around)).toMatchObject({ kind: 'wait', reason: 'throttle', until: NOW + 990 });
    expect(nextStep(right, at(1_000), around)).toEqual({ kind: 'wait', reason: 'quota', until: NOW + 24 * HOUR });
  });
});

test('a request without its attempt is left to the user, and an attempt without requests is deleted', () => {
  const orphan = aQueue({ requests: [aRequest('a', { state: 'sending' }), aRequest('w')] });
  expect(statesOf(recover(orphan, later))).toEqual(['a undecided', 'w waiting']);
  const empty = aQueue({ attempts: [anAttempt(['a'])], state: { lastEndedAt: later.now } });
  expect(recover(empty, later).attempts).toEqual([]);
});

test('an open attempt stays unchanged when the attempt in flight is recovered', () => {
  const parked = anOpenAttempt(['p'], { parkedUntil: NOW + MINUTE, parks: 1 });
  const before = sending(['a'], { connection: fullService(), attempts: [parked] });
  expect(recover(before, later).attempts[1]).toBe(parked);
});
