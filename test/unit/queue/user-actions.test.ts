import { describe, expect, test } from 'vitest';
import { nextStep } from '../../../src/queue/next-step.ts';
import type { DelayReason, Request } from '../../../src/queue/types.ts';
import { cancel, markUncertain, networkReturned, retry, tryNow } from '../../../src/queue/user-actions.ts';
import {
  aQueue,
  aRequest,
  at,
  fullService,
  HOUR,
  idsOf,
  MINUTE,
  NOW,
  type Parts,
  sending,
  sendsNow,
  sentRequest,
  specOnly,
  statesOf,
  takesCodes,
} from './support/queue-builders.ts';

const THERE = { online: true };
const pausedFor = (reason: DelayReason, named = false) => ({ until: NOW + 9, reason, named });
describe('canceling', () => {
  test.each(['waiting', 'failed', 'uncertain'] as const)('removes a request that is %s from the queue', (state) => {
    expect(idsOf(cancel(aQueue({ requests: [aRequest('a', { state }), aRequest('b')] }), ['a']))).toEqual(['b']);
  });

  test('removes several requests, and ignores unknown ids', () => {
    const before = aQueue({ requests: [aRequest('a'), aRequest('b'), aRequest('c')] });
    expect(idsOf(cancel(before, ['a', 'c', 'none']))).toEqual(['b']);
    expect(cancel(before, ['none'])).toBe(before);
  });

  test('does not affect a request that is being sent', () => {
    const before = sending(['a']);
    expect(cancel(before, ['a'])).toBe(before);
  });
});

describe('retrying', () => {
  const retried = (request: Request, parts: Parts = {}) =>
    retry(aQueue({ ...parts, requests: [request] }), request.id, 'new').requests[0];

  test('gives a failed request a new idempotency key, because the old key would return the same refusal', () => {
    expect(retried(aRequest('a', { state: 'failed', attempts: 2 }))).toMatchObject({
      state: 'waiting',
      idempotencyKey: 'new',
      attempts: 0,
    });
  });

  test('keeps the key of a request whose result is unknown, and does not affect a request that is being sent', () => {
    const unknown = sentRequest('a', { retryAt: NOW + MINUTE });
    expect(retried(unknown)).toEqual({ ...unknown, attempts: 0, retryAt: null });
    const [sent] = sending(['a']).requests;
    expect(sent && retried(sent)).toBe(sent);
  });

  test('sends a failed request as if it were new', () => {
    const failed = sentRequest('a', { state: 'failed', lookUpDue: true, maxBatch: 1, retryAt: NOW + MINUTE });
    expect(retried(failed)).toEqual(aRequest('a', { idempotencyKey: 'new' }));
  });

  test('fixes the content of a failed request again, so that its default lifetime begins anew', () => {
    expect(retried(sentRequest('a', { state: 'failed' }))).not.toHaveProperty('sent');
  });

  test('lets several failed requests share a batch, which costs one request', () => {
    const failed = ['a', 'b'].map((id) => aRequest(id, { state: 'failed', attempts: 3 }));
    const before = aQueue({ connection: fullService(), requests: failed });
    const after = retry(retry(before, 'a', 'new-a'), 'b', 'new-b');
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a', 'b'] });
  });

  test('keeps the key and content of an uncertain request, which the server may recognize, and sends it alone', () => {
    const request = sentRequest('a', { state: 'uncertain' });
    expect(retried(request)).toMatchObject({
      state: 'waiting',
      idempotencyKey: 'key-a',
      sent: request.sent,
      mayExist: false,
      maxBatch: 1,
    });
  });

  test('first looks for the link of an uncertain request, if the server can be asked', () => {
    const request = sentRequest('a', { state: 'uncertain' }, 'abc');
    expect(retried(request, { connection: takesCodes() })).toMatchObject({ lookUpDue: true, retryAt: null });
    const certain = { ...request, mayExist: false };
    expect(retried(certain, { connection: takesCodes() })).toMatchObject({ lookUpDue: true });
    expect(retried({ ...certain, state: 'waiting' }, { connection: takesCodes() })).toMatchObject({ lookUpDue: false });
    expect(retried(request, { connection: { ...specOnly, kind: 'kutt' } })).toMatchObject({ retryAt: at(15_000) });
  });

  test('keeps the key of a request that a gateway refused, because an earlier send may have arrived', () => {
    const problem = { code: 'gateway_refused', message: '' } as const;
    expect(retried(sentRequest('a', { state: 'failed', mayExist: false, problem }))).toMatchObject({
      state: 'waiting',
      idempotencyKey: 'key-a',
    });
  });

  test.each(['waiting', 'unknown'] as const)('sends a delayed %s request at once, and changes no other', (state) => {
    const delayed = (id: string) => sentRequest(id, { state, attempts: 3, retryAt: NOW + MINUTE });
    const before = aQueue({ connection: fullService(), requests: [delayed('a'), delayed('b')] });
    expect(nextStep(before, at(), THERE)).toMatchObject({ kind: 'wait', reason: 'delayed' });
    const after = retry(before, 'a', 'new');
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a'] });
    expect(after.requests[1]).toBe(before.requests[1]);
  });

  test('removes a guessed delay, but does not unblock the queue', () => {
    const state = { blocked: 'unauthorized' as const, wait: pausedFor('busy'), failures: 3 };
    expect(retry(aQueue({ state }), 'a', 'new').state).toMatchObject({ blocked: 'unauthorized', wait: null });
  });
});

describe('trying now', () => {
  test('probes an unreachable service before anything is sent', () => {
    const state = { wait: pausedFor('unreachable'), failures: 3 };
    const after = tryNow(aQueue({ connection: fullService(), state, requests: [aRequest('a')] }));
    expect(after.state.failures).toBe(0);
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'probe' });
  });

  test.each(['throttle', 'quota', 'busy'] as const)('keeps a delay that the service requested (%s)', (reason) => {
    const before = aQueue({ state: { wait: pausedFor(reason, true), failures: 3 } });
    expect(tryNow(before)).toEqual(before);
  });

  test('ends the delays of all requests, even at their daily limit', () => {
    const delayed = sentRequest('a', { attempts: 3, retryAt: NOW + MINUTE });
    const after = tryNow(
      aQueue({ connection: fullService(), requests: [delayed, aRequest('b', { state: 'failed' })] }),
    );
    expect(after.requests).toMatchObject([{ retryAt: null, attempts: 0, lookUpDue: false }, { state: 'failed' }]);
  });

  test('looks for a link before the request is sent again, if the server needs that', () => {
    const lost = sentRequest('a', { retryAt: NOW + HOUR }, 'abc');
    const after = tryNow(aQueue({ connection: { ...specOnly, kind: 'kutt' }, requests: [lost] }));
    expect(after.requests).toMatchObject([{ retryAt: at(15_000), lookUpDue: true }]);
  });

  test('looks for the link of a single lost request, but sends a lost batch again', () => {
    const connection = takesCodes();
    const lost = ['a', 'b'].map((id) => sentRequest(id, { retryAt: NOW + HOUR }, id));
    const lookUpsOf = (requests: Request[]) =>
      tryNow(aQueue({ connection, requests })).requests.map(({ lookUpDue }) => lookUpDue);
    expect(lookUpsOf(lost.slice(0, 1))).toEqual([true]);
    expect(lookUpsOf([...lost.slice(0, 1), aRequest('c')])).toEqual([true, false]);
    expect(lookUpsOf(lost)).toEqual([false, false]);
  });

  test('checks a refused key before anything is sent', () => {
    const after = tryNow(aQueue({ state: { blocked: 'unauthorized' }, requests: [aRequest('a')] }));
    expect(after.state.blocked).toBeNull();
    expect(after.connection).toEqual({ ...specOnly, serviceReadAt: null });
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'probe' });
  });

  test.each(['throttle', 'quota', 'busy'] as const)(
    'tries immediately after a guessed delay (%s), and does not shorten later delays',
    (reason) => {
      const { state } = tryNow(aQueue({ state: { wait: pausedFor(reason), failures: 3 } }));
      expect(state).toMatchObject({ wait: null, failures: 3 });
    },
  );

  test('does not bypass the rate limit and the quota', () => {
    const waits = (parts: Parts) => {
      const state = { ...parts.state, wait: pausedFor('busy') };
      return nextStep(tryNow(aQueue({ requests: [aRequest('a')], ...parts, state })), at(), THERE);
    };
    expect(waits({ state: { lastEndedAt: NOW } })).toEqual({ kind: 'wait', reason: 'throttle', until: NOW + 1_000 });
    expect(waits({ limits: { sends: sendsNow(20) } })).toMatchObject({ kind: 'wait', reason: 'quota' });
  });
});

describe('the return of the network', () => {
  test('ends a retry delay that the lost network caused', () => {
    const before = aQueue({ state: { wait: pausedFor('unreachable'), failures: 3 } });
    expect(networkReturned(before).state).toMatchObject({ wait: { until: 0 }, failures: 0 });
  });

  test('ends no other delay', () => {
    for (const reason of ['quota', 'busy', 'throttle'] as const) {
      const asked = aQueue({ state: { wait: pausedFor(reason), failures: 3, blocked: 'unauthorized' } });
      expect(networkReturned(asked)).toBe(asked);
    }
    const none = aQueue();
    expect(networkReturned(none)).toBe(none);
  });
});

test('requests that are left to the user are uncertain, with the reason', () => {
  const problem = { code: 'timeout', message: '' } as const;
  const before = aQueue({ requests: [sentRequest('a', { problem }), sentRequest('b'), aRequest('c')] });
  const after = markUncertain(before, ['a', 'b']);
  expect(statesOf(after)).toEqual(['a uncertain', 'b uncertain', 'c waiting']);
  expect(after.requests.map(({ problem }) => problem?.code)).toEqual(['timeout', 'interrupted', undefined]);
});
