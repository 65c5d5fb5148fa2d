import { describe, expect, test } from 'vitest';
import {
  expire,
  failedByConnection,
  markUncertain,
  requeueFailed,
  retry,
  tryNow,
  uncertain,
} from '../../../src/queue/cancel-retry-pause.ts';
import type { Request } from '../../../src/queue/types.ts';
import { anOpenAttempt, aQueue, aRequest, keyed, NOW, statesOf } from './support/queue-builders.ts';

const sends = [NOW, NOW];
const REFUSED = { code: 'unauthorized', message: 'No.' } as const;

describe('the daily limit of sends', () => {
  const after = (state: Request['state']) =>
    retry(aQueue({ requests: [aRequest('a', { state, sends })] }), 'a', keyed('new'));

  test.each(['failed', 'uncertain', 'waiting', 'unknown'] as const)(
    'is reset when the user retries a request (%s)',
    (state) => {
      expect(after(state).requests[0]?.sends).toEqual([]);
    },
  );

  test('is reset for all waiting and unanswered requests when the user tries now', () => {
    const states = ['waiting', 'unknown', 'failed', 'uncertain', 'sending'] as const;
    const { requests } = tryNow(aQueue({ requests: states.map((state) => aRequest(state, { state, sends })) }));
    expect(requests.map((request) => request.sends)).toEqual([[], [], sends, sends, sends]);
  });

  test('is reset when requests that failed because of the connection are retried', () => {
    const failed = aRequest('a', { state: 'failed', problem: REFUSED, sends, attempts: 3 });
    const [request] = requeueFailed(aQueue({ requests: [failed] }), () => 'new').requests;
    expect(request).toMatchObject({ state: 'waiting', attempts: 0, sends: [], idempotencyKey: 'new' });
  });
});

test('a request failed because of the connection if its problem concerns all requests', () => {
  const isByConnection = (part: Partial<Request>) => failedByConnection(aRequest('a', { state: 'failed', ...part }));
  expect(isByConnection({ problem: REFUSED })).toBe(true);
  expect(isByConnection({ problem: REFUSED, state: 'waiting' })).toBe(false);
  expect(isByConnection({ problem: { code: 'invalid_url', message: '' } })).toBe(false);
  expect(isByConnection({ problem: null })).toBe(false);
});

describe('an uncertain request', () => {
  test('shows its known problem, unless the request was being sent', () => {
    const problemOf = (part: Partial<Request>) => uncertain(aRequest('a', part)).problem;
    const interrupted = { code: 'interrupted', message: '' };
    expect(problemOf({ state: 'unknown', problem: REFUSED })).toEqual(REFUSED);
    expect(problemOf({ state: 'unknown', problem: null })).toEqual(interrupted);
    expect(problemOf({ state: 'sending', problem: REFUSED })).toEqual(interrupted);
    expect(problemOf({ state: 'sending', problem: null })).toEqual(interrupted);
  });

  test('can only be an unanswered request whose attempt may have reached the service', () => {
    const requests = [
      aRequest('a', { state: 'unknown' }),
      aRequest('failed', { state: 'failed' }),
      aRequest('refused'),
      aRequest('other', { state: 'unknown' }),
    ];
    const attempts = [
      anOpenAttempt(['a', 'failed']),
      anOpenAttempt(['refused'], { refusals: 1 }),
      anOpenAttempt(['other']),
    ];
    const queue = aQueue({ requests, attempts });
    const some = markUncertain(queue, ['attempt-a-failed', 'attempt-refused']);
    expect(statesOf(some)).toEqual(['a uncertain', 'failed failed', 'refused waiting', 'other unknown']);
    expect(some.attempts.map(({ id }) => id)).toEqual(['attempt-other']);
    expect(statesOf(markUncertain(queue))).toContain('other uncertain');
    expect(markUncertain(queue, ['unknown'])).toBe(queue);
  });
});

test('a waiting request fails if its link would already have expired, unlike an unanswered one', () => {
  const requests = [aRequest('a'), aRequest('b', { state: 'unknown' }), aRequest('c')];
  const after = expire(aQueue({ requests }), ['a', 'b']);
  expect(statesOf(after)).toEqual(['a failed', 'b unknown', 'c waiting']);
  expect(after.requests[0]?.problem).toEqual({ code: 'expired', message: '' });
});
