import { describe, expect, test } from 'vitest';
import { nextAction } from '../../../src/queue/next.ts';
import {
  accept,
  cancel,
  connectionChanged,
  mended,
  networkReturned,
  resume,
  retry,
} from '../../../src/queue/requests.ts';
import type { ProblemCode, Snapshot } from '../../../src/queue/types.ts';
import { anAttempt, aRequest, aSnapshot, at, fullService, NOW, sending } from './given.ts';

const wish = { id: 'a', url: 'https://x.example/', title: 'T', private: false };
const ids = ({ requests }: Snapshot) => requests.map(({ id }) => id);
const pausedFor = (reason: 'unreachable' | 'throttle' | 'quota' | 'busy') => ({ until: NOW + 9, reason });

describe('accepting', () => {
  test('puts a request behind the others, its key minted now', () => {
    const after = accept(aSnapshot({ requests: [aRequest('z')] }), wish, 'minted', at(5));
    expect(ids(after)).toEqual(['z', 'a']);
    expect(after.requests[1]).toEqual({
      ...wish,
      state: 'waiting',
      createdAt: NOW + 5,
      idempotencyKey: 'minted',
      attempts: 0,
      problem: null,
    });
  });

  test('twice is accepting once, whatever has become of it by then', () => {
    for (const state of ['waiting', 'sending', 'failed', 'unknown'] as const) {
      const before = aSnapshot({ requests: [aRequest('a', { state })] });
      expect(accept(before, wish, 'other', at())).toBe(before);
    }
  });
});

describe('the same URL once more', () => {
  const again = { id: 'again', url: 'https://x.example/a', title: 'T', private: false };
  const accepted = (snapshot: Snapshot, part: Partial<typeof again> = {}) =>
    ids(accept(snapshot, { ...again, ...part }, 'minted', at()));

  test.each(['waiting', 'sending'] as const)('is the same wish while the first is %s', (state) => {
    expect(accepted(aSnapshot({ requests: [aRequest('a', { state })] }))).toEqual(['a']);
  });

  test('is the same wish while the first is going to be sent again by itself', () => {
    const requests = [aRequest('a', { state: 'unknown' })];
    const queue = { attempt: anAttempt(['a'], { inFlight: false }) };
    expect(accepted(aSnapshot({ connection: fullService(), requests, queue }))).toEqual(['a']);
    expect(accepted(aSnapshot({ requests, queue }))).toEqual(['a', 'again']);
  });

  test('is another wish once the first has failed, from another kind of window, or for another URL', () => {
    expect(accepted(aSnapshot({ requests: [aRequest('a', { state: 'failed' })] }))).toEqual(['a', 'again']);
    const waiting = aSnapshot({ requests: [aRequest('a')] });
    expect(accepted(waiting, { private: true })).toEqual(['a', 'again']);
    expect(accepted(waiting, { url: 'https://x.example/a?' })).toEqual(['a', 'again']);
  });
});

describe('giving up', () => {
  test.each(['waiting', 'failed', 'unknown'] as const)('takes a request that is %s off the queue', (state) => {
    expect(ids(cancel(aSnapshot({ requests: [aRequest('a', { state }), aRequest('b')] }), 'a'))).toEqual(['b']);
  });

  test('is too late for a request that is being sent', () => {
    const before = sending(['a']);
    expect(cancel(before, 'a')).toEqual(before);
  });

  test('of the last member ends an open attempt', () => {
    const requests = [aRequest('a', { state: 'unknown' })];
    const before = aSnapshot({ requests, queue: { attempt: anAttempt(['a'], { inFlight: false }) } });
    expect(cancel(before, 'a').queue.attempt).toBeNull();
  });

  test('of one member leaves an open batch as it is, byte for byte: its key stands for these bytes', () => {
    const requests = ['a', 'b'].map((id) => aRequest(id, { state: 'unknown' }));
    const attempt = anAttempt(['a', 'b'], { inFlight: false });
    const after = cancel(aSnapshot({ requests, queue: { attempt } }), 'a');
    expect(after.queue.attempt).toBe(attempt);
    expect(ids(after)).toEqual(['b']);
  });
});

describe('trying again', () => {
  test('a failed request gets a new key: under the old one the refusal would come back', () => {
    const after = retry(aSnapshot({ requests: [aRequest('a', { state: 'failed' })] }), 'a', 'new');
    expect(after.requests).toMatchObject([{ state: 'waiting', idempotencyKey: 'new' }]);
  });

  test('several failed requests lets them share: together they cost one', () => {
    const failed = ['a', 'b'].map((id) => aRequest(id, { state: 'failed', attempts: 3 }));
    const before = aSnapshot({ connection: fullService(), requests: failed });
    const after = retry(retry(before, 'a', 'new-a'), 'b', 'new-b');
    expect(nextAction(after, at(), { online: true, reachedAt: null })).toEqual({
      kind: 'send',
      requestIds: ['a', 'b'],
    });
  });

  test('an unknown request keeps its key: under it the first link comes back', () => {
    const after = retry(aSnapshot({ requests: [aRequest('a', { state: 'unknown' })] }), 'a', 'new');
    expect(after.requests).toMatchObject([{ state: 'waiting', idempotencyKey: 'key-a' }]);
  });

  test('an unknown request that is going to be sent again by itself stays what it is', () => {
    const before = aSnapshot({
      connection: fullService(),
      requests: [aRequest('a', { state: 'unknown' })],
      queue: { attempt: anAttempt(['a'], { inFlight: false }) },
    });
    expect(retry(before, 'a', 'new').requests).toEqual(before.requests);
  });

  test.each(['waiting', 'sending'] as const)('changes no request that is %s, and no other one', (state) => {
    const requests = [aRequest('a', { state }), aRequest('b', { state: 'failed' })];
    expect(retry(aSnapshot({ requests }), 'a', 'new').requests).toEqual(requests);
  });

  test('lets the queue go on', () => {
    const queue = { halt: 'unauthorized' as const, pause: pausedFor('unreachable'), failures: 3 };
    expect(retry(aSnapshot({ queue }), 'a', 'new').queue).toMatchObject({ halt: null, pause: null, failures: 0 });
  });
});

describe('going on', () => {
  test('drops a halt and a back-off', () => {
    const queue = { halt: 'permission' as const, pause: pausedFor('unreachable'), failures: 3 };
    expect(resume(aSnapshot({ queue })).queue).toMatchObject({ halt: null, pause: null, failures: 0 });
  });

  test.each(['throttle', 'quota', 'busy'] as const)('keeps what the service asked for (%s)', (reason) => {
    const pause = { ...pausedFor(reason), told: true };
    const queue = { halt: 'unauthorized' as const, pause, failures: 3 };
    expect(resume(aSnapshot({ queue })).queue).toMatchObject({ halt: null, pause, failures: 3 });
  });
});

describe('going on before our own guess of a time', () => {
  test.each(['throttle', 'quota', 'busy'] as const)(
    'tries at once (%s), and guesses no shorter after that',
    (reason) => {
      const queue = { pause: pausedFor(reason), failures: 3 };
      expect(resume(aSnapshot({ queue })).queue).toMatchObject({ pause: null, failures: 3 });
    },
  );

  test.each(['unreachable', 'busy'] as const)('is no way round the throttle and the quota (%s)', (reason) => {
    const waits = (parts: Parameters<typeof aSnapshot>[0]) => {
      const before = aSnapshot({ requests: [aRequest('a')], ...parts });
      const after = resume({ ...before, queue: { ...before.queue, pause: pausedFor(reason) } });
      return nextAction(after, at(), { online: true, reachedAt: NOW });
    };
    expect(waits({ queue: { lastEndedAt: NOW } })).toEqual({ kind: 'wait', reason: 'throttle', until: NOW + 1_000 });
    const sends = Array.from({ length: 20 }, () => ({ atService: NOW, confirmed: true }));
    expect(waits({ budget: { sends } })).toMatchObject({ kind: 'wait', reason: 'quota' });
  });
});

describe('the network coming back', () => {
  test('ends a back-off that its absence caused', () => {
    const before = aSnapshot({ queue: { pause: pausedFor('unreachable'), failures: 3 } });
    expect(networkReturned(before).queue).toMatchObject({ pause: null, failures: 0 });
  });

  test('ends nothing else', () => {
    const asked = aSnapshot({ queue: { pause: pausedFor('quota'), failures: 3, halt: 'unauthorized' } });
    expect(networkReturned(asked)).toBe(asked);
    const none = aSnapshot();
    expect(networkReturned(none)).toBe(none);
  });
});

describe('another connection', () => {
  const queue = { halt: 'unauthorized' as const, pause: pausedFor('busy'), failures: 3, lastEndedAt: NOW };

  test('starts without what stood in the way of the old one, but at the same pace', () => {
    expect(connectionChanged(aSnapshot({ queue })).queue).toMatchObject({
      halt: null,
      pause: null,
      failures: 0,
      lastEndedAt: NOW,
    });
  });

  test('is never asked for what was sent to the old one', () => {
    const open = anAttempt(['a'], { connectionId: 'old', inFlight: false });
    expect(connectionChanged(aSnapshot({ queue: { attempt: open } })).queue.attempt).toBeNull();
    expect(connectionChanged(aSnapshot({ connection: null, queue: { attempt: open } })).queue.attempt).toBeNull();
  });

  test('leaves a send under way to its end', () => {
    const attempt = anAttempt(['a'], { connectionId: 'old' });
    expect(connectionChanged(aSnapshot({ queue: { attempt } })).queue.attempt).toBe(attempt);
  });

  test('that is the same one again can still be asked', () => {
    const attempt = anAttempt(['a'], { inFlight: false });
    expect(connectionChanged(aSnapshot({ queue: { attempt } })).queue.attempt).toBe(attempt);
  });
});

describe('a mended connection', () => {
  const mendedWith = (part: Parameters<typeof aRequest>[1]) =>
    mended(aSnapshot({ requests: [aRequest('a', { state: 'failed', attempts: 1, ...part })] }), () => 'new')
      .requests[0];
  const by = (code: ProblemCode) => ({ problem: { code, message: '' } });

  test.each(['unauthorized', 'not_a_service', 'redirected'] as const)('is what failed as %s waited for', (code) => {
    expect(mendedWith(by(code))).toMatchObject({ state: 'waiting', attempts: 0, idempotencyKey: 'new' });
  });

  test('sends nothing anew that failed by itself, or is unknown', () => {
    expect(mendedWith(by('invalid_url'))).toMatchObject({ state: 'failed', idempotencyKey: 'key-a' });
    expect(mendedWith({ ...by('unauthorized'), state: 'unknown' })).toMatchObject({ state: 'unknown' });
  });
});
