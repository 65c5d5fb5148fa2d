import { describe, expect, test } from 'vitest';
import { applyResult } from '../../../../src/queue/results/apply-result.ts';
import type { QueueState } from '../../../../src/queue/types.ts';
import type { AttemptResult } from '../../../../src/servers/adapter.ts';
import {
  anAttempt,
  answered,
  at,
  created,
  forNow,
  HOUR,
  lost,
  notMade,
  refused,
  sending,
  unclear,
} from '../support/queue-builders.ts';

function queueAfter(outcome: AttemptResult, state: Partial<QueueState> = {}) {
  const ids = outcome.items.map((_, index) => `r${index}`);
  return applyResult(sending(ids, { state }), anAttempt(ids), outcome, at(), 0.5).queue;
}

/**
 * Returns the queue's state after this result. Half of each retry delay is random, and the tests fix the random half
 * to its middle.
 */
function stateAfter(outcome: AttemptResult, state: Partial<QueueState> = {}) {
  return queueAfter(outcome, state).state;
}

const wait = (ms: number, reason: string) => ({ wait: { until: at(ms), reason } });

test('a success ends all delays and resets the failure count', () => {
  const state = { failures: 3, ...wait(9, 'busy') } as Partial<QueueState>;
  expect(stateAfter(answered([created()]), state)).toMatchObject({ wait: null, failures: 0, blocked: null });
});

test('a permanent refusal does not affect the next request', () => {
  expect(stateAfter(answered([refused('invalid_url')]), { failures: 3 })).toMatchObject({
    wait: null,
    failures: 0,
    blocked: null,
  });
});

test('only a created link shows that the service is healthy', () => {
  const seenAt = (outcome: AttemptResult) => queueAfter(outcome).connection.lastSeenWellAt;
  expect(seenAt(answered([created()]))).toBe(at());
  for (const outcome of [answered([refused('unauthorized')]), answered([forNow('busy')]), lost()]) {
    expect(seenAt(outcome)).toBeNull();
  }
});

test('after a response that was not understood, a page does not show that the service is healthy', () => {
  const doubtAfter = (outcome: AttemptResult, state: Partial<QueueState> = {}) => stateAfter(outcome, state).isDoubtful;
  expect(doubtAfter(answered([unclear('not_understood')]))).toBe(true);
  expect(doubtAfter(answered([created(), unclear('not_understood')]))).toBeUndefined();
  expect(doubtAfter(lost())).toBeUndefined();
  expect(doubtAfter(lost(), { isDoubtful: true })).toBe(true);
  expect(doubtAfter(answered([notMade()]), { isDoubtful: true })).toBe(true);
  for (const outcome of [answered([created()]), answered([refused('invalid_url')]), answered([forNow('busy')])]) {
    expect(doubtAfter(outcome, { isDoubtful: true })).toBeUndefined();
  }
});

describe('a temporary refusal', () => {
  test.each([
    ['throttled', 'throttle'],
    ['quota_exceeded', 'quota'],
    ['busy', 'busy'],
  ] as const)('as %s causes the delay that the service requests', (code, reason) => {
    const after = stateAfter(answered([forNow(code, 30)]), { failures: 4 });
    expect(after).toMatchObject({ ...wait(30_000, reason), failures: 5, probeDue: false });
    expect(after.wait?.named).toBe(true);
  });

  test.each(['throttled', 'busy'] as const)('as %s without a time causes growing delays', (code) => {
    const first = stateAfter(answered([forNow(code)]));
    expect(first).toMatchObject({ failures: 1, wait: { until: at(2_250), named: false } });
    expect(stateAfter(answered([forNow(code)]), { failures: 1 })).toMatchObject({
      failures: 2,
      wait: { until: at(22_500) },
    });
  });

  test('for a spent quota without a time causes a delay of an hour', () => {
    expect(stateAfter(answered([forNow('quota_exceeded')]))).toMatchObject(wait(HOUR, 'quota'));
  });

  test('with a time that no clock can represent counts as one without a time', () => {
    expect(stateAfter(answered([forNow('throttled', 0)])).wait).toEqual({
      until: at(2_250),
      reason: 'throttle',
      named: false,
    });
  });

  test('of one URL in a batch causes a delay', () => {
    expect(stateAfter(answered([created(), forNow('throttled', 5)]))).toMatchObject(wait(5_000, 'throttle'));
  });
});

test.each([
  ['no response', lost()],
  ['an invalid response', answered([unclear('not_understood')])],
  ['a server error', answered([unclear('server_error')])],
  ["a gateway's refusal", answered([notMade()])],
])('after %s a probe shows if the service or the request is the cause', (_name, outcome) => {
  expect(stateAfter(outcome, { failures: 2 })).toMatchObject({ probeDue: true, wait: null, failures: 2 });
});

describe('a problem of all requests blocks the queue', () => {
  test.each(['unauthorized', 'not_a_service', 'redirected'] as const)('%s', (code) => {
    expect(stateAfter(answered([refused(code)]))).toMatchObject({ blocked: code, wait: null });
    expect(stateAfter(answered([created(), refused(code), forNow('busy', 1)]))).toMatchObject({ blocked: code });
  });

  test.each(['invalid_url', 'short_code_taken', 'refused', 'target_refused'] as const)(
    '%s does not block the queue, because it concerns one request',
    (code) => {
      expect(stateAfter(answered([refused(code)])).blocked).toBeNull();
    },
  );
});

describe('a block that starts during an attempt', () => {
  test.each([
    ['a link', answered([created()])],
    ['a refusal', answered([refused('invalid_url')])],
    ['nothing', lost()],
  ])('for missing permission stays after any result (%s)', (_name, outcome) => {
    expect(stateAfter(outcome, { blocked: 'permission' }).blocked).toBe('permission');
  });

  test('for a refused key is ended only by a created link, because the service accepted the key', () => {
    expect(stateAfter(answered([created()]), { blocked: 'unauthorized' }).blocked).toBeNull();
    expect(stateAfter(answered([refused('invalid_url')]), { blocked: 'unauthorized' }).blocked).toBe('unauthorized');
  });
});

test('limits in a response update the limits of the queue', () => {
  const limits = { throttle: { limit: 1, windowSeconds: 7, remaining: 0, resetSeconds: 7 }, quota: null };
  expect(queueAfter(answered([created()], { limits })).limits.gapMs).toBe(7_000);
});
