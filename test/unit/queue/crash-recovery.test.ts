import { describe, expect, test } from 'vitest';
import { recover } from '../../../src/queue/crash-recovery.ts';
import { withClock } from '../../../src/queue/limits/clock-changes.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import {
  anOpenAttempt,
  aQueue,
  aRequest,
  aSend,
  at,
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

describe('what a dead worker left in flight', () => {
  test('is left to the person where it cannot be asked for again, and ended now', () => {
    const after = recover(sending(['a', 'b'], { requests: [aRequest('w')] }), later);
    expect(statesOf(after)).toEqual(['a undecided', 'b undecided', 'w waiting']);
    expect(after.requests[0]?.problem).toEqual({ code: 'interrupted', message: '' });
    expect(after.attempts).toEqual([]);
    expect(after.state.lastEndedAt).toBe(later.now);
  });

  test('is asked for again where the service honours keys', () => {
    const before = sending(['a'], { connection: fullService() });
    const after = recover(before, later);
    expect(after.attempts).toEqual([{ ...before.attempts[0], inFlight: false }]);
    expect(after.requests).toMatchObject([{ state: 'unanswered', problem: { code: 'interrupted' } }]);
  });

  test('after the sixth send is left to the person there as well', () => {
    const inFlight = (sends: number) => sending(['a'], { connection: fullService(), attempt: { sends } });
    expect(statesOf(recover(inFlight(5), later))).toEqual(['a unanswered']);
    expect(statesOf(recover(inFlight(6), later))).toEqual(['a undecided']);
    expect(recover(inFlight(6), later).attempts).toEqual([]);
  });

  test('is undecided even if the attempt itself is gone', () => {
    const before = aQueue({ requests: [aRequest('a', { state: 'sending' })] });
    expect(statesOf(recover(before, later))).toEqual(['a undecided']);
  });
});

describe('what was not in flight', () => {
  test('stays as it was, the pace too', () => {
    const requests = [aRequest('w'), aRequest('f', { state: 'failed' }), aRequest('u', { state: 'undecided' })];
    const before = aQueue({ requests, state: { lastEndedAt: NOW, latestTime: NOW } });
    expect(recover(before, idle)).toBe(before);
  });

  test('counts the pace from now where the last worker was killed so soon that it may have been sending', () => {
    const endedAt = (lastEndedAt: number | null) =>
      recover(aQueue({ state: { lastEndedAt } }), later).state.lastEndedAt;
    expect(endedAt(later.now - 19_999)).toBe(later.now);
    expect(endedAt(later.now - 20_000)).toBe(later.now - 20_000);
    expect(endedAt(null)).toBeNull();
  });

  test('an open attempt stays open, and did not end just now', () => {
    const before = unanswered(['a'], { state: { lastEndedAt: NOW } });
    expect(recover(before, idle)).toBe(before);
  });
});

describe('a clock that was set back', () => {
  const before = unanswered(['a'], {
    connection: { ...fullService(), serviceReadAt: NOW - MINUTE, lastSeenWellAt: NOW - 30_000 },
    state: { latestTime: NOW, lastEndedAt: NOW - 400, pause: { until: NOW + 9_000, reason: 'busy', named: true } },
    attempt: { parkedUntil: NOW + MINUTE, firstSend: aSend(-5_000, false) },
  });
  const requests = before.requests.map((request) => ({ ...request, sends: [aSend(-5_000, false)] }));
  const queue = { ...before, requests };
  const back = at(-HOUR, 'second');

  test('leaves every wait its length, and everything its age', () => {
    expect(withClock(queue, back)).toMatchObject({
      connection: { serviceReadAt: back.now - MINUTE, lastSeenWellAt: back.now - 30_000 },
      state: { latestTime: back.now, lastEndedAt: back.now - 400, pause: { until: back.now + 9_000 } },
      attempts: [{ parkedUntil: back.now + MINUTE, firstSend: { atService: back.now - 5_000 } }],
      requests: [{ sends: [{ atService: back.now - 5_000 }] }],
    });
  });

  test('moves nothing that goes by the service’s clock', () => {
    const clockSample = { local: NOW - 10, service: NOW + HOUR, workerId: 'first' };
    const moved = withClock({ ...queue, budget: { ...queue.budget, clockSample } }, back);
    expect(moved.budget.clockSample).toEqual({ ...clockSample, local: back.now - 10 });
    expect(moved.attempts[0]?.firstSend).toEqual(aSend(-5_000, false));
    expect(moved.requests).toBe(queue.requests);
  });

  test('moves nothing that is not there', () => {
    const moved = withClock(aQueue({ state: { latestTime: NOW } }), back);
    expect(moved.state).toMatchObject({ lastEndedAt: null, pause: null });
  });

  test('and one that went on or stood still moves nothing', () => {
    for (const time of [at(0, 'second'), at(HOUR, 'second')]) expect(withClock(queue, time)).toBe(queue);
  });

  test('puts a computer right that was 26 hours ahead: nothing waits any longer for it', () => {
    const ahead = NOW + 26 * HOUR;
    const sends = Array.from({ length: 20 }, () => ({ atService: ahead - HOUR, confirmed: false }));
    const early = aQueue({ requests: [aRequest('w')], budget: { sends }, state: { latestTime: ahead } });
    const right = withClock({ ...early, state: { ...early.state, lastEndedAt: ahead - 10 } }, at());
    const around = { online: true, reachedAt: NOW };
    expect(nextStep(right, at(), around)).toMatchObject({ kind: 'wait', reason: 'throttle', until: NOW + 990 });
    expect(nextStep(right, at(1_000), around)).toEqual({ kind: 'wait', reason: 'quota', until: NOW + 24 * HOUR });
  });
});

test('an attempt that is open beside the one in flight is none of a new worker’s business', () => {
  const parked = anOpenAttempt(['p'], { parkedUntil: NOW + MINUTE, parks: 1 });
  const before = sending(['a'], { connection: fullService(), attempts: [parked] });
  expect(recover(before, later).attempts[1]).toBe(parked);
});
