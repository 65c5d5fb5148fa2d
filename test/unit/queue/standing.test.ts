import { describe, expect, test } from 'vitest';
import { looked } from '../../../src/queue/look.ts';
import { quotaLeft, standingOf } from '../../../src/queue/standing.ts';
import type { QueueState, Request, Snapshot } from '../../../src/queue/types.ts';
import { anAttempt, aRequest, aSnapshot, at, DAY, fullService, HOUR, NO_LIMITS, NOW } from './given.ts';

const spent = { sends: Array.from({ length: 20 }, () => ({ atService: NOW, confirmed: true })) };
const waiting = aRequest('a');
const unknown = aRequest('a', { state: 'unknown', attempts: 1 });

function standing(request: Request, parts: Parameters<typeof aSnapshot>[0] = {}, online = true) {
  return standingOf(request, aSnapshot({ requests: [request], ...parts }), at(), online);
}

describe('a request', () => {
  test('that is being sent or failed says so', () => {
    expect(standing(aRequest('a', { state: 'sending' }))).toEqual({ kind: 'sending' });
    expect(standing(aRequest('a', { state: 'failed' }))).toEqual({ kind: 'failed' });
  });

  test('that waits says what for, and until when where that is known', () => {
    const pause = { until: NOW + 7, reason: 'unreachable' as const };
    expect(standing(waiting)).toEqual({ kind: 'waiting', reason: 'turn', at: null });
    expect(standing(waiting, {}, false)).toEqual({ kind: 'waiting', reason: 'offline', at: null });
    const wait = { reason: 'unreachable', at: NOW + 7, guessed: true };
    expect(standing(waiting, { queue: { pause } })).toEqual({ kind: 'waiting', ...wait });
    expect(standing(waiting, { budget: spent })).toEqual({ kind: 'waiting', reason: 'quota', at: NOW + 25 * HOUR });
    expect(standing(waiting, { queue: { halt: 'redirected' } })).toMatchObject({ reason: 'redirected', at: null });
    expect(standing(waiting, { connection: null, budget: null })).toMatchObject({ reason: 'no_connection' });
  });

  test('that waits for a time nobody told says so: the person may try before', () => {
    const guessed = (part: Partial<NonNullable<QueueState['pause']>>, queue: Partial<QueueState> = {}) => {
      const pause = { until: NOW + 7, reason: 'busy' as const, ...part };
      const stands = standing(waiting, { queue: { pause, ...queue } });
      return 'guessed' in stands && stands.guessed === true;
    };
    expect(guessed({})).toBe(true);
    expect(guessed({ reason: 'unreachable' })).toBe(true);
    expect(guessed({ told: true })).toBe(false);
    expect(guessed({ reason: 'throttle' })).toBe(false);
    expect(guessed({}, { halt: 'unauthorized' })).toBe(false);
    expect(guessed({ until: NOW })).toBe(false);
    const attempt = anAttempt(['a'], { inFlight: false });
    const queue = { attempt, pause: { until: NOW + 7, reason: 'unreachable' as const } };
    expect(standing(unknown, { connection: fullService(), queue })).toMatchObject({ kind: 'resending', guessed: true });
  });

  test('behind another waits for the quota as that one does', () => {
    const requests = [waiting, aRequest('b')];
    const behind = standingOf(aRequest('b'), aSnapshot({ requests, budget: spent }), at(), true);
    expect(behind).toEqual({ kind: 'waiting', reason: 'quota', at: NOW + 25 * HOUR });
  });

  test('that is next after a look, or behind one that is being sent, waits for its turn', () => {
    const evidence = { local: NOW - DAY, service: NOW - DAY, lifetime: 'zeroth' };
    const freed = {
      evidence,
      sends: Array.from({ length: 20 }, () => ({ atService: NOW - 25 * HOUR, confirmed: true })),
    };
    expect(standing(waiting, { budget: freed })).toEqual({ kind: 'waiting', reason: 'turn', at: null });
    expect(standing(waiting, { queue: { attempt: anAttempt(['b']) } })).toMatchObject({ reason: 'turn' });
  });

  test('tells when it is sent only where it is the next: those behind it wait for their turn', () => {
    const second = aRequest('b', { createdAt: NOW + 1 });
    const parts = { requests: [waiting, second], queue: { lastEndedAt: NOW } };
    const paced = { kind: 'waiting', reason: 'throttle', at: NOW + 1_000 };
    expect(standing(waiting, parts)).toEqual(paced);
    expect(standing(second, parts)).toEqual({ kind: 'waiting', reason: 'turn', at: null });
    // A service with batches takes both at once.
    expect(standing(second, { ...parts, connection: fullService() })).toEqual(paced);
  });

  test('that is unknown is the person’s to decide', () => {
    expect(standing(unknown)).toEqual({ kind: 'undecided' });
    const other = { attempt: anAttempt(['b'], { inFlight: false }) };
    expect(standing(unknown, { connection: fullService(), queue: other })).toEqual({ kind: 'undecided' });
  });

  test('that is unknown and sent again by itself says what that waits for', () => {
    const queue = { attempt: anAttempt(['a'], { inFlight: false }) };
    const connection = fullService();
    expect(standing(unknown, { connection, queue })).toEqual({ kind: 'resending', reason: 'turn', at: null });
    expect(standing(unknown, { connection, queue }, false)).toMatchObject({ kind: 'resending', reason: 'offline' });
    const pause = { until: NOW + 7, reason: 'unreachable' as const };
    expect(standing(unknown, { connection, queue: { ...queue, pause } })).toMatchObject({ at: NOW + 7 });
  });
});

describe('the quota', () => {
  test('is what is left, of how much, and when there is more', () => {
    expect(quotaLeft(aSnapshot(), at())).toEqual({ left: 20, limit: 20, moreAt: null });
    const one = { sends: [{ atService: NOW, confirmed: true }] };
    expect(quotaLeft(aSnapshot({ budget: one }), at())).toEqual({ left: 19, limit: 20, moreAt: NOW + 25 * HOUR });
  });

  test('is unknown without a connection', () => {
    expect(quotaLeft(aSnapshot({ connection: null, budget: null }), at())).toBeNull();
  });
});

describe('a look', () => {
  const dated = { evidence: { local: NOW - DAY, service: NOW - DAY, lifetime: 'zeroth' } };
  const look = (snapshot: Snapshot, told: Parameters<typeof looked>[1]) => looked(snapshot, told, at(), 0.5);

  test('that finds nobody leaves what waits waiting, and comes back later each time', () => {
    const once = look(aSnapshot({ requests: [waiting] }), null);
    expect(once.queue).toMatchObject({ failures: 1, pause: { until: NOW + 1_500, reason: 'unreachable' } });
    expect(once.requests).toEqual([waiting]);
    expect(once.budget?.sends).toEqual([]);
    expect(look(once, null).queue).toMatchObject({ failures: 2, pause: { until: NOW + 3_000 } });
  });

  test('brings the service’s time and limits', () => {
    const quota = { limit: 5, windowSeconds: 3_600, remaining: 4, resetSeconds: 60 };
    const { budget } = look(aSnapshot(), { date: NOW - 5, limits: { throttle: null, quota } });
    expect(budget).toMatchObject({
      evidence: { local: NOW, service: NOW - 5, lifetime: 'first' },
      told: { remaining: 4 },
    });
  });

  test('without a time leaves the local clock to be trusted', () => {
    expect(look(aSnapshot({ budget: dated }), { date: null, limits: NO_LIMITS }).budget?.evidence).toEqual({
      local: NOW,
      service: NOW,
      lifetime: 'first',
    });
  });

  test('with a time does not trust the local clock first', () => {
    const told = { date: NOW - 2 * HOUR, limits: NO_LIMITS };
    expect(look(aSnapshot({ budget: dated }), told).budget?.evidence?.service).toBe(NOW - 2 * HOUR);
  });

  test('with no connection left to tell of changes nothing', () => {
    const none = aSnapshot({ connection: null, budget: null });
    expect(look(none, { date: NOW, limits: NO_LIMITS })).toBe(none);
  });
});
