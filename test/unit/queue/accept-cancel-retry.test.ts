import { describe, expect, test } from 'vitest';
import { enqueue, type NewRequest } from '../../../src/queue/accept-requests.ts';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import {
  cancel,
  markUncertain,
  networkReturned,
  requeueFailed,
  retry,
  tryNow,
} from '../../../src/queue/cancel-retry-pause.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import type { DelayReason, ProblemCode, Queue, Request } from '../../../src/queue/types.ts';
import {
  anOpenAttempt,
  aQueue,
  aRequest,
  at,
  fullService,
  idsOf,
  keyed,
  MINTING,
  MINUTE,
  NOW,
  type Parts,
  sending,
  sendsNow,
  statesOf,
  unanswered,
} from './support/queue-builders.ts';

const THERE = { online: true, reachedAt: NOW };
const order: NewRequest = {
  id: 'a',
  groupId: null,
  url: 'https://x.example/a',
  title: 'T',
  options: NO_OPTIONS,
  source: 'popup',
};
const pausedFor = (reason: DelayReason, named = false) => ({ until: NOW + 9, reason, named });
const keys = () => {
  let count = 0;
  const newKey = () => {
    count += 1;
    return `minted-${count}`;
  };
  return { ...MINTING, newKey };
};
const enqueued = (queue: Queue, part: Partial<NewRequest> = {}) =>
  idsOf(enqueue(queue, [{ ...order, id: 'again', ...part }], keys(), at()));

describe('accepting', () => {
  test('appends a request to the queue and generates its idempotency key', () => {
    const after = enqueue(aQueue({ requests: [aRequest('z')] }), [order], keys(), at(5));
    expect(idsOf(after)).toEqual(['z', 'a']);
    expect(after.requests[1]).toEqual({
      ...order,
      connectionId: 'c',
      state: 'waiting',
      createdAt: NOW + 5,
      idempotencyKey: 'minted-1',
      attempts: 0,
      sends: [],
      alone: false,
      problem: null,
    });
  });

  test('adds no second request with the same id, whatever the state of the first', () => {
    for (const state of ['waiting', 'sending', 'failed', 'unknown', 'uncertain'] as const) {
      const before = aQueue({ requests: [aRequest('a', { state })] });
      expect(enqueue(before, [order], keys(), at())).toBe(before);
    }
  });

  test('keeps the order of several requests, generates a key for each, and merges duplicates', () => {
    const orders = ['b', 'a', 'b2'].map((id) => ({ ...order, id, url: `https://x.example/${id[0]}`, groupId: 'g' }));
    const { requests } = enqueue(aQueue(), orders, keys(), at());
    expect(requests.map(({ id, idempotencyKey, groupId }) => [id, idempotencyKey, groupId])).toEqual([
      ['b', 'minted-1', 'g'],
      ['a', 'minted-2', 'g'],
    ]);
    expect(requests.toSorted((one, other) => one.createdAt - other.createdAt)).toEqual(requests);
  });

  test('shortens a title to 1,000 characters', () => {
    const { requests } = enqueue(aQueue(), [{ ...order, title: 'é'.repeat(1_001) }], keys(), at());
    expect(requests[0]?.title).toBe('é'.repeat(1_000));
  });
});

describe('accepting a URL again', () => {
  test.each(['waiting', 'sending', 'unknown'] as const)('adds no request while the first one is %s', (state) => {
    expect(enqueued(aQueue({ requests: [aRequest('a', { state })] }))).toEqual(['a']);
  });

  test.each(['failed', 'uncertain'] as const)('adds another request if the first one is %s', (state) => {
    expect(enqueued(aQueue({ requests: [aRequest('a', { state })] }))).toEqual(['a', 'again']);
  });

  test('adds another request for another kind of window, another URL or other options', () => {
    const waiting = aQueue({ requests: [aRequest('a')] });
    expect(enqueued(waiting, { url: 'https://x.example/a?' })).toEqual(['a', 'again']);
    for (const part of [{ shortCode: 'mine' }, { title: 'T' }, { expiresAt: '2027-01-01T00:00:00Z' }]) {
      expect(enqueued(waiting, { options: { ...NO_OPTIONS, ...part } })).toEqual(['a', 'again']);
    }
    const tagged = aQueue({ requests: [aRequest('a', { options: { ...NO_OPTIONS, tags: ['birds'] } })] });
    for (const tags of [['birds', 'rivers'], ['Birds']])
      expect(enqueued(tagged, { options: { ...NO_OPTIONS, tags } })).toEqual(['a', 'again']);
    expect(enqueued(tagged, { options: { ...NO_OPTIONS, tags: ['birds'] } })).toEqual(['a']);
  });
});

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

  test('the last request of an open attempt ends the attempt', () => {
    expect(cancel(unanswered(['a']), ['a']).attempts).toEqual([]);
  });

  test('one request does not change the bytes of an open batch, which belong to its idempotency key', () => {
    const before = unanswered(['a', 'b']);
    const after = cancel(before, ['a']);
    expect(after.attempts[0]).toBe(before.attempts[0]);
    expect(idsOf(after)).toEqual(['b']);
  });
});

describe('retrying', () => {
  const retried = (request: Request, parts: Parts = {}) =>
    retry(aQueue({ ...parts, requests: [request] }), request.id, keyed('new')).requests[0];

  test('gives a failed request a new idempotency key, because the old key would return the same refusal', () => {
    expect(retried(aRequest('a', { state: 'failed', attempts: 2 }))).toMatchObject({
      state: 'waiting',
      idempotencyKey: 'new',
      attempts: 0,
    });
  });

  test('lets several failed requests share a batch, which costs one request', () => {
    const failed = ['a', 'b'].map((id) => aRequest(id, { state: 'failed', attempts: 3 }));
    const before = aQueue({ connection: fullService(), requests: failed });
    const after = retry(retry(before, 'a', keyed('new-a')), 'b', keyed('new-b'));
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a', 'b'] });
  });

  test('keeps the idempotency key of an uncertain request and sends it alone, because the key returns the first link', () => {
    expect(retried(aRequest('a', { state: 'uncertain', attempts: 1 }))).toMatchObject({
      state: 'waiting',
      idempotencyKey: 'key-a',
      alone: true,
    });
  });

  test.each(['failed', 'uncertain', 'waiting'] as const)(
    'sends immediately, even if a %s request has reached its daily limit',
    (state) => {
      const after = retry(aQueue({ requests: [aRequest('a', { state, sends: sendsNow(3) })] }), 'a', keyed('new'));
      expect(nextStep(after, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a'] });
    },
  );

  test('sends an unanswered request immediately with its attempt, even at its daily limit', () => {
    const before = unanswered(['a', 'b'], { attempt: { parkedUntil: NOW + MINUTE } });
    const spent = { ...before, requests: before.requests.map((request) => ({ ...request, sends: sendsNow(3) })) };
    expect(nextStep(spent, at(), THERE)).toMatchObject({ kind: 'wait', reason: 'delayed' });
    const after = retry(spent, 'a', keyed('new'));
    expect(statesOf(after)).toEqual(['a unknown', 'b unknown']);
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'resend', attemptId: 'attempt-a-b' });
  });

  test('leaves all other requests and attempts unchanged', () => {
    const parked = anOpenAttempt(['p'], { parkedUntil: NOW + MINUTE });
    const others = [
      aRequest('p', { state: 'unknown', sends: sendsNow(3) }),
      aRequest('f', { state: 'failed', sends: sendsNow(1) }),
    ];
    const after = retry(unanswered(['a'], { attempts: [parked], requests: others }), 'a', keyed('new'));
    expect(after.requests.slice(1)).toEqual(others);
    expect(after.attempts[1]).toBe(parked);
  });

  test('removes a guessed delay, but does not unblock the queue', () => {
    const state = { blocked: 'unauthorized' as const, wait: pausedFor('busy'), failures: 3 };
    expect(retry(aQueue({ state }), 'a', keyed('new')).state).toMatchObject({ blocked: 'unauthorized', wait: null });
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

  test('looks up and sends a request that was delayed alone, even at its daily limit', () => {
    const attempt = { parkedUntil: NOW + 9_000, lookUpDue: false, parks: 3 };
    const before = unanswered(['a'], { attempt, requests: [aRequest('b', { state: 'failed', sends: sendsNow(3) })] });
    const requests = before.requests.map((request) => ({ ...request, sends: sendsNow(3) }));
    const after = tryNow({ ...before, requests });
    expect(after.attempts).toMatchObject([{ parkedUntil: null, lookUpDue: true, parks: 3 }]);
    expect(after.requests.map(({ sends }) => sends.length)).toEqual([0, 3]);
  });

  test('checks a refused key before anything is sent', () => {
    const after = tryNow(aQueue({ state: { blocked: 'unauthorized' }, requests: [aRequest('a')] }));
    expect(after.state.blocked).toBeNull();
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

describe('retrying requests that failed because of the connection', () => {
  const requeued = (part: Partial<Request>) =>
    requeueFailed(aQueue({ requests: [aRequest('a', { state: 'failed', attempts: 1, ...part })] }), () => 'new')
      .requests[0];
  const by = (code: ProblemCode) => ({ problem: { code, message: '' } });

  test.each(['unauthorized', 'not_a_service', 'redirected'] as const)('makes the requests wait again (%s)', (code) => {
    expect(requeued(by(code))).toMatchObject({ state: 'waiting', attempts: 0, idempotencyKey: 'new' });
  });

  test('does not affect requests that failed for another reason or are uncertain', () => {
    expect(requeued(by('invalid_url'))).toMatchObject({ state: 'failed', idempotencyKey: 'key-a' });
    expect(requeued({ ...by('unauthorized'), state: 'uncertain' })).toMatchObject({ state: 'uncertain' });
  });
});

describe('leaving an attempt to the user', () => {
  const other = anOpenAttempt(['b']);
  const before = unanswered(['a', 'gone'], {
    attempts: [other],
    requests: [aRequest('b', { state: 'unknown' }), aRequest('w')],
  });

  test('makes its requests uncertain, and no others', () => {
    const after = markUncertain(before, ['attempt-a-gone']);
    expect(statesOf(after).toSorted()).toEqual(['a uncertain', 'b unknown', 'gone uncertain', 'w waiting']);
    expect(after.attempts).toEqual([other]);
  });

  test('records the reason, even for a request in flight', () => {
    const after = markUncertain(sending(['a']), ['attempt-a']);
    expect(after.requests[0]?.problem).toEqual({ code: 'interrupted', message: '' });
    const problem = { code: 'timeout', message: '' } as const;
    const open = { ...before, requests: before.requests.map((request) => ({ ...request, problem })) };
    expect(markUncertain(open, ['attempt-a-gone']).requests[0]?.problem).toEqual(problem);
  });

  test('changes nothing if the attempt does not exist', () => {
    expect(markUncertain(before, ['none'])).toBe(before);
  });
});
