import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { EMPTY_STATE } from '../../../../src/queue/add-replace-delete-connection.ts';
import { nextStep } from '../../../../src/queue/next-step.ts';
import { applyProbe } from '../../../../src/queue/results/apply-probe.ts';
import { startAttempt } from '../../../../src/queue/start-attempt.ts';
import type { Attempt, Connection, Queue, QueueState } from '../../../../src/queue/types.ts';
import type { ProbeResult } from '../../../../src/servers/adapter.ts';
import {
  aQueue,
  aRequest,
  at,
  fullService,
  HOUR,
  MINUTE,
  NOW,
  type Parts,
  sending,
  specOnly,
  statesOf,
  unanswered,
  well,
} from '../support/queue-builders.ts';

/** Applies a probe result. By default, the service responds normally to the probe. */
const probed = (queue: Queue, probe: ProbeResult) =>
  applyProbe(queue, probe && { ...probe, service: probe.service ?? queue.connection.service }, at(), 0.5);
const waiting = aRequest('w');

describe('an unreachable service', () => {
  test('is probed with growing delays, at no cost', () => {
    const once = probed(aQueue({ requests: [waiting] }), null);
    expect(once.state).toMatchObject({
      failures: 1,
      wait: { until: NOW + 2_250, reason: 'unreachable', named: false },
    });
    expect(once.requests).toEqual([waiting]);
    expect(once.limits.sends).toEqual([]);
    expect(probed(once, null).state).toMatchObject({ failures: 2, wait: { until: NOW + 22_500 } });
  });

  test('is the reason for a missing response, and the attempt continues when the service returns', () => {
    const before = unanswered(['a'], { attempt: { suspect: true }, state: { probeDue: true } });
    const away = probed(before, null);
    expect(away.attempts).toMatchObject([{ suspect: false, parkedUntil: null, parks: 0 }]);
    const back = probed(away, well());
    expect(back.state).toMatchObject({ wait: null, failures: 0, probeDue: false });
    expect(nextStep(back, at(), { online: true, reachedAt: NOW })).toMatchObject({ kind: 'resend' });
  });

  test('keeps an earlier delay only if the service requested it and it is not shorter', () => {
    const pauseAfter = (ms: number, named = true) => {
      const wait = { until: NOW + ms, reason: 'quota' as const, named };
      return probed(aQueue({ state: { wait } }), null).state.wait?.reason;
    };
    expect([pauseAfter(HOUR), pauseAfter(2_250)]).toEqual(['quota', 'quota']);
    expect([pauseAfter(2_249), pauseAfter(HOUR, false)]).toEqual(['unreachable', 'unreachable']);
  });
});

describe('a healthy service', () => {
  const before = unanswered(['a'], { attempt: { suspect: true }, state: { probeDue: true }, requests: [waiting] });
  const next = (queue: Queue, ms = 0) => nextStep(queue, at(ms), { online: true, reachedAt: NOW });

  test('receives its unanswered attempt again after growing delays', () => {
    const parked = (parks: number) =>
      probed(unanswered(['a'], { attempt: { suspect: true, parks }, state: { probeDue: true } }), well()).attempts;
    expect([0, 1, 2, 3, 4].map((parks) => parked(parks)[0]?.parkedUntil)).toEqual([
      NOW + 2_250,
      NOW + 22_500,
      NOW + 225_000,
      NOW + 225_000,
      NOW + 225_000,
    ]);
    expect(parked(2)).toMatchObject([{ parks: 3, suspect: false }]);
  });

  test('receives the other requests meanwhile', () => {
    const after = probed(before, well());
    expect(statesOf(after)).toEqual(['a unknown', 'w waiting']);
    expect(next(after)).toEqual({ kind: 'send', requestIds: ['w'] });
  });

  test('receives the delayed attempt at its time, after other waiting requests', () => {
    const after = probed(before, well());
    expect(next(after, MINUTE)).toEqual({ kind: 'send', requestIds: ['w'] });
    const alone = { ...after, requests: after.requests.slice(0, 1) };
    expect(next(alone, MINUTE)).toEqual({ kind: 'resend', attemptId: 'attempt-a' });
  });

  test('does not delay an attempt that is not suspected of causing errors', () => {
    const calm = unanswered(['a'], { state: { probeDue: true } });
    expect(probed(calm, well()).attempts).toEqual(calm.attempts);
  });

  test('lets the other requests go on, however many requests got no answer before', () => {
    const lost = unanswered(['a'], { state: { probeDue: true, failures: 12 }, attempt: { suspect: true } });
    const queue = { ...lost, requests: [...lost.requests, aRequest('b')] };
    const after = probed(queue, well());
    expect(after.state.wait).toBeNull();
    expect(nextStep(after, at(), { online: true, reachedAt: NOW })).toEqual({ kind: 'send', requestIds: ['b'] });
  });

  test('keeps a longer delay that it requested', () => {
    const wait = { until: NOW + HOUR, reason: 'quota' as const, named: true };
    expect(probed(aQueue({ state: { probeDue: true, failures: 5, wait } }), well()).state.wait).toBe(wait);
  });

  test('does not count a failure if the probe had another reason', () => {
    expect(probed(aQueue({ state: { failures: 1 } }), well()).state).toMatchObject({ failures: 1, wait: null });
  });

  test('receives requests again after a busy delay, and keeps the failure count', () => {
    const state: Partial<QueueState> = { failures: 3, wait: { until: NOW - 1, reason: 'busy', named: false } };
    expect(probed(aQueue({ state }), well()).state).toMatchObject({ wait: null, failures: 3 });
  });

  test('receives no request before the end of a busy delay', () => {
    const pauseAfter = (until: number) =>
      probed(aQueue({ state: { wait: { until, reason: 'busy', named: false } } }), well()).state.wait;
    expect(pauseAfter(NOW)).toBeNull();
    expect(pauseAfter(NOW + 1)).toMatchObject({ until: NOW + 1 });
  });
});

describe('the result of a probe', () => {
  const service = { name: 'N', shortBaseUrl: 'https://s.example', features: ['batch'] };

  test('stores the service document with the time', () => {
    const { connection } = probed(aQueue({ connection: { ...specOnly, serviceReadAt: null } }), well({ service }));
    expect(connection).toMatchObject({ service, serviceReadAt: NOW, lastSeenWellAt: NOW });
  });

  test('without a document keeps the known document', () => {
    const { connection } = probed(aQueue({ connection: fullService() }), well());
    expect(connection.service).toEqual(fullService().service);
  });

  test.each(['refused', 'forbidden'] as const)('with a key that is %s does not delay an unanswered attempt', (key) => {
    const queue = unanswered(['a'], { attempt: { suspect: true }, state: { probeDue: true } });
    const after = probed(queue, well({ key }));
    expect(after.attempts).toEqual([{ ...queue.attempts[0], suspect: false }]);
    expect(after.state).toMatchObject({ failures: 0, wait: null });
  });

  test('with a refused key blocks the queue, and does not count as healthy', () => {
    const { state, connection } = probed(aQueue(), well({ key: 'refused' }));
    expect(state.blocked).toBe('unauthorized');
    expect(connection.lastSeenWellAt).toBeNull();
  });

  test.each<[string, Partial<NonNullable<ProbeResult>>, number | null]>([
    ['a document', { service }, NOW],
    ['an accepted key', { key: 'accepted' }, NOW],
    ['neither', {}, null],
    ['a document and a refused key', { service, key: 'refused' }, null],
    ['a document and a key without permission', { service, key: 'forbidden' }, null],
    ['a document after a redirect', { service, redirected: true }, null],
    ['only a redirect', { redirected: true }, null],
  ])('with %s tells if the service is healthy', (_, part, lastSeenWellAt) => {
    expect(applyProbe(aQueue(), well(part), at(), 0.5).connection.lastSeenWellAt).toBe(lastSeenWellAt);
  });

  test.each(['accepted', 'unknown'] as const)('with a key that is %s does not end blocks for other reasons', (key) => {
    for (const blocked of ['permission', 'redirected', 'not_a_service'] as const) {
      expect(probed(aQueue({ state: { blocked } }), well({ key })).state.blocked).toBe(blocked);
    }
  });

  test('with an accepted key unblocks a queue whose key was refused', () => {
    const blockAfter = (key: 'accepted' | 'unknown') =>
      probed(aQueue({ state: { blocked: 'unauthorized' } }), well({ key })).state.blocked;
    expect(blockAfter('accepted')).toBeNull();
    expect(blockAfter('unknown')).toBe('unauthorized');
  });

  test('updates the limits, unless a send is in flight, which the service may not have counted yet', () => {
    const quota = { limit: 5, windowSeconds: 3_600, remaining: 4, resetSeconds: 60 };
    const result = well({ limits: { throttle: null, quota } });
    expect(probed(aQueue(), result).limits.reported).toMatchObject({ remaining: 4, resetAt: NOW + MINUTE });
    expect(probed(sending(['a']), result).limits.reported).toBeNull();
  });
});

describe('a probe with a redirect', () => {
  const redirected = well({ redirected: true });

  test('counts as unreachable if the service is known, or if it worked before and now leaves a send unanswered', () => {
    const pauseOf = (connection: Connection, suspect = false) =>
      applyProbe(unanswered(['a'], { connection, attempt: { suspect } }), redirected, at(), 0.5).state.wait?.reason;
    const worked = { ...specOnly, lastSeenWellAt: NOW };
    expect([pauseOf(fullService()), pauseOf(worked, true)]).toEqual(['unreachable', 'unreachable']);
    expect([pauseOf(worked), pauseOf(specOnly, true)]).toEqual([undefined, undefined]);
  });

  test('does not matter if the key was accepted', () => {
    const queue = aQueue({ connection: fullService() });
    expect(applyProbe(queue, well({ redirected: true, key: 'accepted' }), at(), 0.5).state.wait).toBeNull();
  });
});

describe('a batch that causes errors', () => {
  const connection = fullService();
  const ids = ['a', 'b', 'c', 'd'];
  const sent = startAttempt(aQueue({ connection, requests: ids.map((id) => aRequest(id)) }), ids, 'batch', at());
  const suspected = (part: Partial<Attempt> = {}): Queue => ({
    ...sent,
    attempts: sent.attempts.map((attempt) => ({ ...attempt, inFlight: false, suspect: true, ...part })),
    state: { ...sent.state, probeDue: true },
  });

  test('is split, each request with its own idempotency key', () => {
    const { attempts } = probed(suspected(), well());
    expect(attempts.map(({ requestIds }) => requestIds)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    for (const { body } of attempts) expect(body).toContain('idempotencyKey');
  });

  test('sends its parts immediately, because nothing shows yet which part causes the errors', () => {
    const after = probed({ ...suspected(), state: { ...EMPTY_STATE, probeDue: true } }, well());
    expect(nextStep(after, at(), { online: true, reachedAt: NOW })).toEqual({ kind: 'resend', attemptId: 'batch.1' });
  });

  test('omits requests that were canceled meanwhile', () => {
    const queue = suspected();
    const after = probed({ ...queue, requests: queue.requests.filter(({ id }) => id !== 'b') }, well());
    expect(after.attempts.flatMap(({ requestIds }) => requestIds)).toEqual(['a', 'c', 'd']);
  });

  test('is repeated unchanged if only one of its requests is left', () => {
    const queue = suspected();
    const after = probed({ ...queue, requests: queue.requests.slice(0, 1) }, well());
    expect(after.attempts).toMatchObject([{ id: 'batch', requestIds: ids, parkedUntil: NOW + 2_250 }]);
  });

  test('is delayed as a whole if the service no longer supports item keys', () => {
    const after = probed({ ...suspected(), connection: fullService(FEATURE.idempotency, FEATURE.batch) }, well());
    expect(after.attempts).toMatchObject([{ requestIds: ids, parkedUntil: NOW + 2_250 }]);
  });
});

describe('a page in place of a service document', () => {
  const queue = unanswered(['a'], { attempt: { suspect: true }, state: { probeDue: true } });

  test('keeps the known document, and nothing is sent before the document returns', () => {
    const after = applyProbe(queue, well({ isPage: true }), at(), 0.5);
    expect(after.connection).toEqual(queue.connection);
    expect(after.state).toMatchObject({ probeDue: false, wait: { reason: 'unreachable' } });
    expect(after.attempts).toMatchObject([{ suspect: false, parkedUntil: null }]);
  });

  test('changes nothing if no document was ever known, unless the last POST returned a page too', () => {
    const pauseOf = (state: Partial<QueueState> = {}) =>
      applyProbe(aQueue({ requests: [waiting], state }), well({ isPage: true }), at(), 0.5).state.wait?.reason;
    expect(pauseOf()).toBeUndefined();
    expect(pauseOf({ isDoubtful: true })).toBe('unreachable');
  });

  test('does not matter if the service accepts the key', () => {
    const after = applyProbe(queue, well({ key: 'accepted' }), at(), 0.5);
    expect(after.state.wait).toBeNull();
    expect(after.connection.service).toEqual(queue.connection.service);
  });
});

describe('an attempt that was turned away before it reached the service', () => {
  const refusedOnce = { suspect: true, refusals: 1 };
  const parts: Parts & { attempt: Partial<Attempt> } = { attempt: refusedOnce, state: { probeDue: true } };
  const spec = { ...parts, connection: { ...specOnly, lastSeenWellAt: NOW } };

  test('is delayed alone if the service is healthy', () => {
    const after = probed(unanswered(['a'], { ...spec, requests: [waiting] }), well());
    expect(after.attempts).toMatchObject([{ suspect: false, parkedUntil: NOW + 2_250 }]);
    const next = (ms: number, queue = after) => nextStep(queue, at(ms), { online: true, reachedAt: NOW + ms });
    expect(next(0)).toEqual({ kind: 'send', requestIds: ['w'] });
    expect(next(MINUTE, { ...after, requests: after.requests.slice(0, 1) })).toMatchObject({ kind: 'resend' });
  });

  test.each([
    ['the service is unreachable', null],
    ['the probe is redirected', well({ redirected: true })],
  ])('waits with the queue as if it had not been sent if %s', (_name, probe) => {
    const after = applyProbe(unanswered(['a'], spec), probe, at(), 0.5);
    expect(after.attempts).toEqual([]);
    expect(after.state.wait?.reason).toBe('unreachable');
  });

  test.each([
    ['refused', 'unauthorized'],
    ['forbidden', 'forbidden'],
  ] as const)('waits for another key if the current key is %s', (key, blocked) => {
    const after = probed(unanswered(['a'], parts), well({ key }));
    expect(after.attempts).toEqual([]);
    expect(after.state).toMatchObject({ blocked, failures: 0, wait: null });
    expect(after.connection.lastSeenWellAt).toBeNull();
  });
});
