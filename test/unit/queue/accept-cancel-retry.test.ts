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
  private: false,
};
const pausedFor = (reason: DelayReason, named = false) => ({ until: NOW + 9, reason, named });
const minted = () => {
  let count = 0;
  const newKey = () => {
    count += 1;
    return `minted-${count}`;
  };
  return { ...MINTING, newKey };
};
const enqueued = (queue: Queue, part: Partial<NewRequest> = {}) =>
  idsOf(enqueue(queue, [{ ...order, id: 'again', ...part }], minted(), at()));

describe('accepting', () => {
  test('puts a request behind the others, its key minted now', () => {
    const after = enqueue(aQueue({ requests: [aRequest('z')] }), [order], minted(), at(5));
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

  test('twice is accepting once, whatever has become of it by then', () => {
    for (const state of ['waiting', 'sending', 'failed', 'unanswered', 'undecided'] as const) {
      const before = aQueue({ requests: [aRequest('a', { state })] });
      expect(enqueue(before, [order], minted(), at())).toBe(before);
    }
  });

  test('several keeps their order, gives each a key, and folds what is named twice', () => {
    const orders = ['b', 'a', 'b2'].map((id) => ({ ...order, id, url: `https://x.example/${id[0]}`, groupId: 'g' }));
    const { requests } = enqueue(aQueue(), orders, minted(), at());
    expect(requests.map(({ id, idempotencyKey, groupId }) => [id, idempotencyKey, groupId])).toEqual([
      ['b', 'minted-1', 'g'],
      ['a', 'minted-2', 'g'],
    ]);
    expect(requests.toSorted((one, other) => one.createdAt - other.createdAt)).toEqual(requests);
  });

  test('keeps no more than 1,000 characters of a title', () => {
    const { requests } = enqueue(aQueue(), [{ ...order, title: 'é'.repeat(1_001) }], minted(), at());
    expect(requests[0]?.title).toBe('é'.repeat(1_000));
  });
});

describe('the same URL once more', () => {
  test.each(['waiting', 'sending', 'unanswered'] as const)('is the same request while the first is %s', (state) => {
    expect(enqueued(aQueue({ requests: [aRequest('a', { state })] }))).toEqual(['a']);
  });

  test.each(['failed', 'undecided'] as const)('is another request once the first is %s', (state) => {
    expect(enqueued(aQueue({ requests: [aRequest('a', { state })] }))).toEqual(['a', 'again']);
  });

  test('is another request from another kind of window, for another URL, or with other options', () => {
    const waiting = aQueue({ requests: [aRequest('a')] });
    expect(enqueued(waiting, { private: true })).toEqual(['a', 'again']);
    expect(enqueued(waiting, { url: 'https://x.example/a?' })).toEqual(['a', 'again']);
    for (const part of [{ shortCode: 'mine' }, { title: 'T' }, { expiresAt: '2027-01-01T00:00:00Z' }]) {
      expect(enqueued(waiting, { options: { ...NO_OPTIONS, ...part } })).toEqual(['a', 'again']);
    }
  });
});

describe('giving up', () => {
  test.each(['waiting', 'failed', 'undecided'] as const)('takes a request that is %s off the queue', (state) => {
    expect(idsOf(cancel(aQueue({ requests: [aRequest('a', { state }), aRequest('b')] }), ['a']))).toEqual(['b']);
  });

  test('takes several at once, and changes nothing where none is there', () => {
    const before = aQueue({ requests: [aRequest('a'), aRequest('b'), aRequest('c')] });
    expect(idsOf(cancel(before, ['a', 'c', 'none']))).toEqual(['b']);
    expect(cancel(before, ['none'])).toBe(before);
  });

  test('is too late for a request that is being sent', () => {
    const before = sending(['a']);
    expect(cancel(before, ['a'])).toBe(before);
  });

  test('of the last member ends an open attempt', () => {
    expect(cancel(unanswered(['a']), ['a']).attempts).toEqual([]);
  });

  test('of one member leaves an open batch as it is, byte for byte: its key stands for these bytes', () => {
    const before = unanswered(['a', 'b']);
    const after = cancel(before, ['a']);
    expect(after.attempts[0]).toBe(before.attempts[0]);
    expect(idsOf(after)).toEqual(['b']);
  });
});

describe('sending again', () => {
  const retried = (request: Request, parts: Parts = {}) =>
    retry(aQueue({ ...parts, requests: [request] }), request.id, 'new').requests[0];

  test('a failed request gets a new key: under the old one the refusal would come back', () => {
    expect(retried(aRequest('a', { state: 'failed', attempts: 2 }))).toMatchObject({
      state: 'waiting',
      idempotencyKey: 'new',
      attempts: 0,
    });
  });

  test('several failed requests lets them share: together they cost one', () => {
    const failed = ['a', 'b'].map((id) => aRequest(id, { state: 'failed', attempts: 3 }));
    const before = aQueue({ connection: fullService(), requests: failed });
    const after = retry(retry(before, 'a', 'new-a'), 'b', 'new-b');
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a', 'b'] });
  });

  test('an undecided request keeps its key and goes alone: under it the first link comes back', () => {
    expect(retried(aRequest('a', { state: 'undecided', attempts: 1 }))).toMatchObject({
      state: 'waiting',
      idempotencyKey: 'key-a',
      alone: true,
    });
  });

  test.each(['failed', 'undecided', 'waiting'] as const)('goes at once, whatever a %s one has spent', (state) => {
    const after = retry(aQueue({ requests: [aRequest('a', { state, sends: sendsNow(3) })] }), 'a', 'new');
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a'] });
  });

  test('an unanswered request goes at once as the attempt that it is part of, whatever that has spent', () => {
    const before = unanswered(['a', 'b'], { attempt: { parkedUntil: NOW + MINUTE } });
    const spent = { ...before, requests: before.requests.map((request) => ({ ...request, sends: sendsNow(3) })) };
    expect(nextStep(spent, at(), THERE)).toMatchObject({ kind: 'wait', reason: 'delayed' });
    const after = retry(spent, 'a', 'new');
    expect(statesOf(after)).toEqual(['a unanswered', 'b unanswered']);
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'resend', attemptId: 'attempt-a-b' });
  });

  test('leaves every other request and attempt as it is', () => {
    const parked = anOpenAttempt(['p'], { parkedUntil: NOW + MINUTE });
    const others = [
      aRequest('p', { state: 'unanswered', sends: sendsNow(3) }),
      aRequest('f', { state: 'failed', sends: sendsNow(1) }),
    ];
    const after = retry(unanswered(['a'], { attempts: [parked], requests: others }), 'a', 'new');
    expect(after.requests.slice(1)).toEqual(others);
    expect(after.attempts[1]).toBe(parked);
  });

  test('drops a guessed pause, and no halt: that ends by its own event alone', () => {
    const state = { halt: 'unauthorized' as const, pause: pausedFor('busy'), failures: 3 };
    expect(retry(aQueue({ state }), 'a', 'new').state).toMatchObject({ halt: 'unauthorized', pause: null });
  });
});

describe('going on now', () => {
  test('asks a service that was away whether it is back, and sends nothing before that', () => {
    const state = { pause: pausedFor('unreachable'), failures: 3 };
    const after = tryNow(aQueue({ connection: fullService(), state, requests: [aRequest('a')] }));
    expect(after.state.failures).toBe(0);
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'probe' });
  });

  test.each(['throttle', 'quota', 'busy'] as const)('keeps what the service asked for (%s)', (reason) => {
    const before = aQueue({ state: { pause: pausedFor(reason, true), failures: 3 } });
    expect(tryNow(before)).toEqual(before);
  });

  test('tries what was delayed alone, whatever it has spent, and looks it up first', () => {
    const attempt = { parkedUntil: NOW + 9_000, lookUpDue: false, parks: 3 };
    const before = unanswered(['a'], { attempt, requests: [aRequest('b', { state: 'failed', sends: sendsNow(3) })] });
    const requests = before.requests.map((request) => ({ ...request, sends: sendsNow(3) }));
    const after = tryNow({ ...before, requests });
    expect(after.attempts).toMatchObject([{ parkedUntil: null, lookUpDue: true, parks: 3 }]);
    expect(after.requests.map(({ sends }) => sends.length)).toEqual([0, 3]);
  });

  test('checks a refused key before anything is sent', () => {
    const after = tryNow(aQueue({ state: { halt: 'unauthorized' }, requests: [aRequest('a')] }));
    expect(after.state.halt).toBeNull();
    expect(nextStep(after, at(), THERE)).toEqual({ kind: 'probe' });
  });

  test.each(['throttle', 'quota', 'busy'] as const)(
    'tries at once where we guessed (%s), and guesses no shorter after that',
    (reason) => {
      const { state } = tryNow(aQueue({ state: { pause: pausedFor(reason), failures: 3 } }));
      expect(state).toMatchObject({ pause: null, failures: 3 });
    },
  );

  test('is no way round the throttle and the quota', () => {
    const waits = (parts: Parts) => {
      const state = { ...parts.state, pause: pausedFor('busy') };
      return nextStep(tryNow(aQueue({ requests: [aRequest('a')], ...parts, state })), at(), THERE);
    };
    expect(waits({ state: { lastEndedAt: NOW } })).toEqual({ kind: 'wait', reason: 'throttle', until: NOW + 1_000 });
    expect(waits({ budget: { sends: sendsNow(20) } })).toMatchObject({ kind: 'wait', reason: 'quota' });
  });
});

describe('the network coming back', () => {
  test('ends a back-off that its absence caused', () => {
    const before = aQueue({ state: { pause: pausedFor('unreachable'), failures: 3 } });
    expect(networkReturned(before).state).toMatchObject({ pause: { until: 0 }, failures: 0 });
  });

  test('ends nothing else', () => {
    for (const reason of ['quota', 'busy', 'throttle'] as const) {
      const asked = aQueue({ state: { pause: pausedFor(reason), failures: 3, halt: 'unauthorized' } });
      expect(networkReturned(asked)).toBe(asked);
    }
    const none = aQueue();
    expect(networkReturned(none)).toBe(none);
  });
});

describe('what failed by the connection alone', () => {
  const requeued = (part: Partial<Request>) =>
    requeueFailed(aQueue({ requests: [aRequest('a', { state: 'failed', attempts: 1, ...part })] }), () => 'new')
      .requests[0];
  const by = (code: ProblemCode) => ({ problem: { code, message: '' } });

  test.each(['unauthorized', 'not_a_service', 'redirected'] as const)('(%s) waits again', (code) => {
    expect(requeued(by(code))).toMatchObject({ state: 'waiting', attempts: 0, idempotencyKey: 'new' });
  });

  test('is nothing that failed by itself, or is undecided', () => {
    expect(requeued(by('invalid_url'))).toMatchObject({ state: 'failed', idempotencyKey: 'key-a' });
    expect(requeued({ ...by('unauthorized'), state: 'undecided' })).toMatchObject({ state: 'undecided' });
  });
});

describe('leaving an attempt to the person', () => {
  const other = anOpenAttempt(['b']);
  const before = unanswered(['a', 'gone'], {
    attempts: [other],
    requests: [aRequest('b', { state: 'unanswered' }), aRequest('w')],
  });

  test('makes its requests undecided, and touches no other', () => {
    const after = markUncertain(before, ['attempt-a-gone']);
    expect(statesOf(after).toSorted()).toEqual(['a undecided', 'b unanswered', 'gone undecided', 'w waiting']);
    expect(after.attempts).toEqual([other]);
  });

  test('says why, also of what was on its way', () => {
    const after = markUncertain(sending(['a']), ['attempt-a']);
    expect(after.requests[0]?.problem).toEqual({ code: 'interrupted', message: '' });
    const problem = { code: 'timeout', message: '' } as const;
    const open = { ...before, requests: before.requests.map((request) => ({ ...request, problem })) };
    expect(markUncertain(open, ['attempt-a-gone']).requests[0]?.problem).toEqual(problem);
  });

  test('that is not there changes nothing', () => {
    expect(markUncertain(before, ['none'])).toBe(before);
  });
});
