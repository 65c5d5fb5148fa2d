import { describe, expect, test } from 'vitest';
import { needsUser } from '../../../src/queue/sending.ts';
import { lastSendAt, quotaLeft, type RequestStatus, requestStatuses } from '../../../src/queue/status.ts';
import type { Delay, Queue, QueueState, Request } from '../../../src/queue/types.ts';
import {
  aQueue,
  aRequest,
  at,
  fullService,
  HOUR,
  MINUTE,
  NOW,
  type Parts,
  sendsNow,
  sentRequest,
} from './support/queue-builders.ts';

const spent = { sends: sendsNow(20) };
const waiting = aRequest('a');
const guess = (part: Partial<Delay> = {}): Delay => ({ until: NOW + 7, reason: 'unreachable', named: false, ...part });

function statuses(queue: Queue, online = true): Map<string, RequestStatus> {
  return requestStatuses(queue, at(), online);
}

function statusOf(request: Request, parts: Parts = {}, online = true): RequestStatus | undefined {
  return statuses(aQueue({ requests: [request], ...parts }), online).get(request.id);
}

/** Returns a queue with a request that got no answer, and the other requests. */
function unanswered(part: Partial<Request> = {}, parts: Parts = {}, ...others: Request[]): Queue {
  return aQueue({ connection: fullService(), requests: [sentRequest('a', part), ...others], ...parts });
}

describe('a request', () => {
  test.each(['sending', 'failed', 'uncertain'] as const)('that is %s has only this status', (state) => {
    expect(statusOf(aRequest('a', { state }))).toEqual({ kind: state });
    expect(statusOf(aRequest('a', { state }), { state: { wait: guess() } })).toEqual({ kind: state });
  });

  test('that waits shows the reason, and the end of the wait if known', () => {
    expect(statusOf(waiting)).toEqual({ kind: 'waiting', reason: 'throttle', at: null });
    expect(statusOf(waiting, {}, false)).toEqual({ kind: 'waiting', reason: 'offline', at: null });
    expect(statusOf(waiting, { state: { wait: guess() } })).toEqual({
      kind: 'waiting',
      reason: 'unreachable',
      at: NOW + 7,
      guessed: true,
    });
    expect(statusOf(waiting, { limits: spent })).toEqual({ kind: 'waiting', reason: 'quota', at: NOW + 25 * HOUR });
    expect(statusOf(waiting, { state: { blocked: 'redirected' } })).toEqual({
      kind: 'waiting',
      reason: 'redirected',
      at: null,
    });
  });

  test('that waits for a guessed time shows that the user may try earlier', () => {
    const guessed = (wait: Partial<Delay>, state: Partial<QueueState> = {}) => {
      const status = statusOf(waiting, { state: { wait: guess(wait), ...state } });
      return status !== undefined && 'guessed' in status && status.guessed === true;
    };
    expect(guessed({})).toBe(true);
    expect(guessed({ reason: 'quota' })).toBe(true);
    expect(guessed({ named: true })).toBe(false);
    expect(guessed({}, { blocked: 'unauthorized' })).toBe(false);
    expect(guessed({ until: NOW })).toBe(false);
    // The delay is over, and the request now waits for something else.
    const over = { limits: spent, state: { wait: guess({ until: NOW, reason: 'throttle' as const }) } };
    expect(statusOf(waiting, over)).toEqual({ kind: 'waiting', reason: 'quota', at: NOW + 25 * HOUR });
  });

  test('behind another waits for the quota like that request', () => {
    const behind = statuses(aQueue({ requests: [waiting, aRequest('b')], limits: spent })).get('b');
    expect(behind).toEqual({ kind: 'waiting', reason: 'quota', at: NOW + 25 * HOUR });
  });

  test('behind a request in flight is queued', () => {
    const requests = [waiting, sentRequest('b', { state: 'sending' })];
    expect(statusOf(waiting, { requests })).toMatchObject({ reason: 'queued' });
  });

  test('shows the time of its send only if it is the next', () => {
    const parts = { requests: [waiting, aRequest('b')], state: { lastEndedAt: NOW } };
    const throttled = { kind: 'waiting', reason: 'throttle', at: NOW + 1_000 };
    const queued = { kind: 'waiting', reason: 'queued', at: null };
    expect([...statuses(aQueue(parts)).values()]).toEqual([throttled, queued]);
    // A service that supports batches receives both requests at the same time.
    expect([...statuses(aQueue({ ...parts, connection: fullService() })).values()]).toEqual([throttled, throttled]);
    const behindOpen = unanswered({ createdAt: NOW - 1, maxBatch: 1 }, { state: { lastEndedAt: NOW } }, aRequest('w'));
    expect([...statuses(behindOpen).values()]).toEqual([{ ...throttled, kind: 'unknown' }, queued]);
  });

  test('that is unanswered shows the reason for its delay', () => {
    expect(statuses(unanswered()).get('a')).toEqual({ kind: 'unknown', reason: 'throttle', at: null });
    expect(statuses(unanswered(), false).get('a')).toMatchObject({ kind: 'unknown', reason: 'offline' });
    expect(statuses(unanswered({}, { state: { wait: guess() } })).get('a')).toMatchObject({
      kind: 'unknown',
      at: NOW + 7,
      guessed: true,
    });
  });

  test('that is delayed alone shows the end of its delay, and that the user may send it earlier', () => {
    const parked = { reason: 'delayed', at: NOW + MINUTE, guessed: true };
    const queue = unanswered({ retryAt: NOW + MINUTE }, {}, aRequest('b'));
    expect(statuses(queue).get('a')).toEqual({ kind: 'unknown', ...parked });
    expect(statuses(queue).get('b')).toEqual({ kind: 'waiting', reason: 'throttle', at: null });
    const over = unanswered({ retryAt: NOW });
    expect(statuses(over).get('a')).toEqual({ kind: 'unknown', reason: 'throttle', at: null });
    const refused = aRequest('a', { attempts: 1, retryAt: NOW + MINUTE });
    expect(statusOf(refused)).toEqual({ kind: 'waiting', ...parked });
  });

  test('that is delayed alone shows a problem of the whole queue first', () => {
    const of = (state: Partial<QueueState>, online = true) =>
      statuses(unanswered({ retryAt: NOW + MINUTE }, { state }), online).get('a');
    expect(of({ blocked: 'unauthorized' })).toMatchObject({ reason: 'unauthorized' });
    expect(of({}, false)).toMatchObject({ reason: 'offline' });
    expect(of({ paused: true })).toMatchObject({ reason: 'paused', at: null });
  });

  test('is the next to be sent if all requests before it are delayed', () => {
    const delayed = aRequest('delayed', { createdAt: NOW - HOUR, retryAt: NOW + MINUTE });
    const queue = aQueue({ requests: [delayed, waiting], state: { lastEndedAt: NOW } });
    expect(statuses(queue).get('a')).toEqual({ kind: 'waiting', reason: 'throttle', at: NOW + 1_000 });
  });
});

test('the user is needed for requests that failed, are uncertain, or wait in a blocked queue', () => {
  const states = ['waiting', 'sending', 'unknown', 'failed', 'uncertain'] as const;
  const requests = states.map((state) => aRequest(state, { state }));
  const needed = (blocked: QueueState['blocked']) =>
    requests.filter(needsUser(aQueue({ state: { blocked } }))).map(({ id }) => id);
  expect(needed(null)).toEqual(['failed', 'uncertain']);
  expect(needed('unauthorized')).toEqual(['waiting', 'unknown', 'failed', 'uncertain']);
});

test('the remaining quota has a number, a limit, and the time at which it grows', () => {
  expect(quotaLeft(aQueue(), at())).toEqual({ left: 20, limit: 20, moreAt: null });
  const one = aQueue({ limits: { sends: [at()] } });
  expect(quotaLeft(one, at())).toEqual({ left: 19, limit: 20, moreAt: NOW + 25 * HOUR });
});

describe('the estimated time of the last send', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => aRequest(`r${n}`));
  const last = (parts: Parts, id: string) => {
    const at = lastSendAt(aQueue(parts), new Set([id]), NOW);
    return at === null ? null : at - NOW;
  };

  test('is one gap later for each send before it, and batches are one send', () => {
    expect(last({ requests: many(3) }, 'r2')).toBe(2_000);
    expect(last({ connection: fullService(), requests: many(60) }, 'r59')).toBe(1_000);
  });

  test('is after the delay of the queue and of the request', () => {
    const wait = { until: NOW + MINUTE, reason: 'busy', named: true } as const;
    expect(last({ state: { wait }, requests: many(1) }, 'r0')).toBe(MINUTE);
    expect(last({ requests: [aRequest('a', { retryAt: NOW + HOUR })] }, 'a')).toBe(HOUR);
  });

  test('is on a later day if the quota does not suffice', () => {
    const limits = { perDay: 2, reported: { remaining: 1, resetAt: NOW + HOUR } };
    expect(last({ limits, requests: many(5) }, 'r0')).toBe(0);
    expect(last({ limits, requests: many(5) }, 'r2')).toBe(HOUR);
    expect(last({ limits, requests: many(5) }, 'r4')).toBe(26 * HOUR);
  });

  test('is unknown for a request that is not sent automatically, and if the service allows nothing', () => {
    expect(last({ requests: [aRequest('a', { state: 'failed' })] }, 'a')).toBeNull();
    expect(last({ limits: { perDay: 0 }, requests: many(1) }, 'r0')).toBeNull();
  });
});
