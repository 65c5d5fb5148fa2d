import { describe, expect, test } from 'vitest';
import { recover } from '../../../src/queue/recover.ts';
import { anAttempt, aRequest, aSnapshot, at, DAY, fullService, HOUR, NOW, sending } from './given.ts';

const later = at(3_000, 'second');

describe('what a dead worker left in flight', () => {
  test('is unknown, and ended now', () => {
    const { requests, queue } = recover(sending(['a', 'b'], { requests: [aRequest('w')] }), later);
    expect(requests.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'waiting']);
    expect(requests[0]?.problem).toEqual({ code: 'interrupted', message: '' });
    expect(queue).toMatchObject({ attempt: null, lastEndedAt: later.now, lastSeen: later.now });
  });

  test('is asked for again where the service honours keys', () => {
    const before = sending(['a'], { connection: fullService() });
    expect(recover(before, later).queue.attempt).toEqual({ ...before.queue.attempt, inFlight: false });
  });

  test('is asked for again for 29 days: services forget keys after 30', () => {
    const before = sending(['a'], { connection: fullService() });
    expect(recover(before, at(29 * DAY - 1, 'second')).queue.attempt).not.toBeNull();
    expect(recover(before, at(29 * DAY, 'second')).queue.attempt).toBeNull();
  });

  test('is not asked for at another connection', () => {
    const before = sending(['a'], { connection: fullService(), attempt: { connectionId: 'old' } });
    expect(recover(before, later).queue.attempt).toBeNull();
    expect(recover({ ...before, connection: null }, later).queue.attempt).toBeNull();
  });

  test('is unknown even if the attempt itself is gone', () => {
    const before = aSnapshot({ requests: [aRequest('a', { state: 'sending' })] });
    expect(recover(before, later).requests[0]?.state).toBe('unknown');
  });
});

describe('what was not in flight', () => {
  test('stays as it was, the pace too', () => {
    const requests = [aRequest('w'), aRequest('f', { state: 'failed' }), aRequest('u', { state: 'unknown' })];
    const before = aSnapshot({ requests, queue: { lastEndedAt: NOW, lastSeen: NOW } });
    expect(recover(before, later)).toEqual({ ...before, queue: { ...before.queue, lastSeen: later.now } });
  });

  test('an open attempt stays open, and did not end just now', () => {
    const attempt = anAttempt(['a'], { inFlight: false });
    const queue = { attempt, lastEndedAt: NOW };
    const before = aSnapshot({ connection: fullService(), queue, requests: [aRequest('a', { state: 'unknown' })] });
    expect(recover(before, later)).toMatchObject({ queue: { attempt, lastEndedAt: NOW }, requests: before.requests });
  });
});

describe('a clock that was set back', () => {
  const queue = {
    lastSeen: NOW,
    lastEndedAt: NOW - 400,
    pause: { until: NOW + 9_000, reason: 'busy' as const },
    attempt: anAttempt(['a'], { inFlight: false, firstSentAt: NOW - 5_000 }),
  };
  const back = at(-HOUR, 'second');

  test('leaves every wait its length', () => {
    const { queue: moved } = recover(aSnapshot({ connection: fullService(), queue }), back);
    expect(moved).toMatchObject({
      lastSeen: back.now,
      lastEndedAt: back.now - 400,
      pause: { until: back.now + 9_000 },
      attempt: { firstSentAt: back.now - 5_000 },
    });
  });

  test('moves nothing that is not there', () => {
    const { queue: moved } = recover(aSnapshot({ queue: { lastSeen: NOW } }), back);
    expect(moved).toMatchObject({ lastEndedAt: null, pause: null, attempt: null });
  });

  test('and one that went on or stood still moves nothing', () => {
    for (const time of [at(0, 'second'), at(HOUR, 'second')]) {
      const { queue: kept } = recover(aSnapshot({ connection: fullService(), queue }), time);
      expect(kept).toEqual({ ...queue, failures: 0, halt: null, lastSeen: time.now });
    }
  });
});
