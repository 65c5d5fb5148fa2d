import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { nextStep, type Step, type Surroundings } from '../../../src/queue/next-step.ts';
import type { BlockReason, DelayReason, Queue, QueueState, Request } from '../../../src/queue/types.ts';
import {
  aQueue,
  aRequest,
  at,
  DAY,
  fullService,
  HOUR,
  MINUTE,
  NOW,
  SECOND,
  SPENT,
  sendsNow,
  sentRequest,
  specOnly,
  takesCodes,
} from './support/queue-builders.ts';

const THERE: Surroundings = { online: true };

function next(queue: Queue, around: Partial<Surroundings> = {}, ms = 0): Step {
  return nextStep(queue, at(ms), { ...THERE, ...around });
}

const sends = (...requestIds: string[]): Step => ({ kind: 'send', requestIds });
const halted = (reason: BlockReason): Step => ({ kind: 'blocked', reason });
const waits = (reason: (Step & { kind: 'wait' })['reason'], until: number | null): Step => ({
  kind: 'wait',
  reason,
  until,
});
const pausedFor = (reason: DelayReason, ms: number): Partial<QueueState> => ({
  wait: { until: NOW + ms, reason, named: true },
});

describe('without a network', () => {
  const offline = (baseUrl: string) =>
    next(aQueue({ connection: { ...specOnly, baseUrl }, requests: [aRequest('a')] }), { online: false });

  test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://terse.localhost/api'])(
    'a service on this computer is reachable (%s)',
    (baseUrl) => {
      expect(offline(baseUrl)).toEqual(sends('a'));
    },
  );

  test.each(['https://a.example', 'http://localhost.example'])('any other service is unreachable (%s)', (baseUrl) => {
    expect(offline(baseUrl)).toEqual(waits('offline', null));
  });
});

describe('reasons not to send', () => {
  // The order is the precedence: each entry overrides the entries after it.
  const everything = {
    state: { blocked: 'unauthorized' as const, ...pausedFor('busy', 9_000), lastEndedAt: NOW },
    limits: SPENT,
    requests: [aRequest('a')],
  };
  const running = { ...everything.state, blocked: null };
  const throttled = { ...running, wait: null };
  const offline = { online: false };
  const unseen = { ...specOnly, serviceReadAt: NOW - HOUR };

  test.each([
    ['no waiting request', aQueue({ ...everything, requests: [] }), offline, { kind: 'idle' }],
    ['a blocked queue', aQueue(everything), offline, halted('unauthorized')],
    ['no network', aQueue({ ...everything, state: running }), offline, waits('offline', null)],
    ['a delay', aQueue({ ...everything, connection: unseen, state: running }), {}, waits('busy', NOW + 9_000)],
    [
      'the rate limit',
      aQueue({ ...everything, connection: unseen, state: throttled }),
      {},
      waits('throttle', NOW + 1_000),
    ],
    ['the quota', aQueue({ ...everything, connection: unseen, state: {} }), {}, waits('quota', NOW + 25 * HOUR)],
    ['a silent service', aQueue({ connection: unseen, requests: [aRequest('a')] }), {}, { kind: 'probe' }],
    ['no reason', aQueue({ requests: [aRequest('a')] }), {}, sends('a')],
  ] as const)('are checked in order of precedence: %s', (_name, queue, around, step) => {
    expect(next(queue, around)).toEqual(step);
  });

  test('include a request that is being sent, which overrides all other reasons', () => {
    const requests = [...everything.requests, sentRequest('b', { state: 'sending' })];
    expect(next(aQueue({ ...everything, requests }))).toEqual({ kind: 'idle' });
  });

  test('include the state of a request, because only waiting requests are sent', () => {
    const requests = [aRequest('a', { state: 'failed' }), aRequest('b', { state: 'uncertain' }), aRequest('c')];
    expect(next(aQueue({ requests }))).toEqual(sends('c'));
    expect(next(aQueue({ requests: requests.slice(0, 2) }))).toEqual({ kind: 'idle' });
  });
});

describe('pacing', () => {
  const requests = [aRequest('a')];

  test('counts a second from the end of the last send', () => {
    const queue = aQueue({ requests, state: { lastEndedAt: NOW } });
    expect(next(queue, {}, 999)).toMatchObject({ kind: 'wait', reason: 'throttle' });
    expect(next(queue, {}, 1_000)).toEqual(sends('a'));
  });

  test('uses the reported rate limit instead of one second', () => {
    const queue = aQueue({ requests, state: { lastEndedAt: NOW }, limits: { gapMs: 5_000 } });
    expect(next(queue, {}, 4_999)).toMatchObject({ until: NOW + 5_000 });
    expect(next(queue, {}, 5_000)).toEqual(sends('a'));
  });

  test.each(['throttle', 'quota'] as const)('ends a delay at its time (%s)', (reason) => {
    const queue = aQueue({ requests, state: pausedFor(reason, 10) });
    expect(next(queue, {}, 9)).toEqual(waits(reason, NOW + 10));
    expect(next(queue, {}, 10)).toEqual(sends('a'));
  });

  test('allows the last request of the quota', () => {
    expect(next(aQueue({ requests, limits: { ...SPENT, sends: sendsNow(19) } }))).toEqual(sends('a'));
  });
});

describe('a probe comes first', () => {
  const requests = [aRequest('a')];
  const full = fullService();
  const probe: Step = { kind: 'probe' };

  test.each(['unreachable', 'busy'] as const)(
    'after a delay of a service that was %s, because it costs nothing',
    (reason) => {
      const queue = aQueue({ connection: full, requests, state: pausedFor(reason, 10) });
      expect(next(queue, {}, 9)).toEqual(waits(reason, NOW + 10));
      expect(next(queue, {}, 10)).toEqual(probe);
    },
  );

  test('immediately after a send without a clear response, because a probe is not a send', () => {
    const suspects = requests.map((request) => ({ ...request, isSuspect: true as const }));
    const all = [...suspects, aRequest('b')];
    const queue = aQueue({ connection: full, requests: all, state: { lastEndedAt: NOW } });
    expect(next(queue)).toEqual(probe);
  });

  test('but not while the service has requested a delay', () => {
    const queue = aQueue({ connection: full, requests, state: pausedFor('quota', 10) });
    expect(next(queue)).toEqual(waits('quota', NOW + 10));
  });

  test('if a lost response could not be repeated, and the service was not reached for 5 seconds', () => {
    const queue = aQueue({ requests });
    expect(next(queue, {}, 5 * SECOND)).toEqual(sends('a'));
    expect(next(queue, {}, 5 * SECOND + 1)).toEqual(probe);
    const connection = { ...specOnly, serviceReadAt: NOW - HOUR, lastSeenWellAt: NOW };
    expect(next(aQueue({ requests, connection }), {}, 5 * SECOND)).toEqual(sends('a'));
    expect(next(aQueue({ requests, connection: fullService(FEATURE.batch) }), {}, HOUR)).toEqual(probe);
    const kutt = { ...specOnly, kind: 'kutt' } as const;
    expect(next(aQueue({ requests, connection: kutt }), {}, 5 * SECOND + 1)).toEqual(probe);
  });

  test('but not at a service with idempotency keys, whose responses can be repeated', () => {
    expect(next(aQueue({ requests, connection: full }), {}, HOUR)).toEqual(sends('a'));
  });

  test('if the features were last read more than a day ago', () => {
    const read = (serviceReadAt: number | null) => aQueue({ requests, connection: { ...full, serviceReadAt } });
    expect(next(read(null))).toEqual(probe);
    expect(next(read(NOW), {}, DAY)).toEqual(sends('a'));
    expect(next(read(NOW), {}, DAY + 1)).toEqual(probe);
  });
});

describe('a request without an answer', () => {
  const unknown = (part: Partial<Request> = {}, parts = {}, ...others: Request[]) =>
    aQueue({ connection: fullService(), requests: [sentRequest('a', part), ...others], ...parts });
  const later = { retryAt: NOW + MINUTE, maxBatch: 1 };

  test('waits for quota and delays like a first send', () => {
    expect(next(unknown())).toEqual(sends('a'));
    const delayed = unknown({}, { state: pausedFor('unreachable', 10) });
    expect(next(delayed)).toEqual(waits('unreachable', NOW + 10));
    expect(next(unknown({}, { limits: SPENT }))).toEqual(waits('quota', NOW + 25 * HOUR));
  });

  test('does not block other requests while it is delayed, and is then sent after those before its time', () => {
    expect(next(unknown(later, {}, aRequest('b')))).toEqual(sends('b'));
    expect(next(unknown(later))).toEqual(waits('delayed', NOW + MINUTE));
    const latest = sentRequest('b', { retryAt: NOW + HOUR });
    expect(next(unknown(later, {}, latest))).toEqual(waits('delayed', NOW + MINUTE));
    expect(next(unknown(later), {}, MINUTE)).toEqual(sends('a'));
    expect(next(unknown(later, {}, aRequest('b')), {}, MINUTE)).toEqual(sends('b'));
    const newer = aRequest('b', { createdAt: NOW + MINUTE + 1 });
    expect(next(unknown(later, {}, newer), {}, 2 * MINUTE)).toEqual(sends('a'));
  });

  test('is left to the user if the service may have deleted its idempotency key, even in a blocked queue', () => {
    const leave: Step = { kind: 'mark_uncertain', requestIds: ['a'] };
    const sent = { path: '/api/v1/urls', item: { url: 'https://x.example/a' }, firstAt: NOW, lastAt: NOW } as const;
    const old = (ms: number, state: Partial<QueueState> = {}) =>
      unknown({ sent: { ...sent, firstAt: at(ms), lastAt: at(ms) } }, { state });
    expect(next(old(-29 * DAY + 1))).toEqual(sends('a'));
    expect(next(old(-29 * DAY))).toEqual(leave);
    expect(next(old(-29 * DAY, { blocked: 'unauthorized' }))).toEqual(leave);
    expect(next(unknown({}, { connection: specOnly }))).toEqual(leave);
    // Short codes do not expire.
    const byCode = { connection: { ...specOnly, kind: 'shlink', serviceReadAt: at(30 * DAY) } };
    expect(next(unknown(sentRequest('a', {}, 'abc'), byCode), {}, 30 * DAY)).toEqual(sends('a'));
  });

  test('is first looked up by its code if that is due, whatever its age and the quota', () => {
    const connection = takesCodes();
    const due = unknown({ ...sentRequest('a', {}, 'abc'), lookUpDue: true }, { connection, limits: SPENT });
    expect(next(due)).toEqual({ kind: 'look_up', requestId: 'a' });
    expect(next(due, {}, 29 * DAY)).toEqual({ kind: 'look_up', requestId: 'a' });
    expect(next({ ...due, requests: due.requests.map((one) => ({ ...one, isSuspect: true as const })) })).toEqual({
      kind: 'probe',
    });
    expect(next(unknown({ lookUpDue: true }, { connection }))).toEqual(sends('a'));
  });
});

describe('a batch', () => {
  const many = (count: number, part = {}) => Array.from({ length: count }, (_, n) => aRequest(`r${n}`, part));
  const ids = (requests: { id: string }[]) => sends(...requests.map(({ id }) => id));
  const batched = (requests: ReturnType<typeof many>) => next(aQueue({ connection: fullService(), requests }));

  test('contains all waiting requests, oldest first', () => {
    expect(batched(many(3))).toEqual(sends('r0', 'r1', 'r2'));
  });

  test('contains at most 50 requests', () => {
    expect(batched(many(50))).toEqual(ids(many(50)));
    expect(batched(many(51))).toEqual(ids(many(50)));
  });

  test('is not used for a service without batches or without item keys', () => {
    expect(next(aQueue({ connection: fullService(FEATURE.idempotency), requests: many(3) }))).toEqual(sends('r0'));
    expect(next(aQueue({ requests: many(3) }))).toEqual(sends('r0'));
  });

  test.each<[string, Partial<Request>]>([
    ['a request from a small batch that failed', { maxBatch: 1 }],
    [
      'a request whose key belongs to another path',
      { sent: { path: '/api/shorten', item: { url: '' }, firstAt: NOW, lastAt: NOW } },
    ],
  ])('never contains %s, which is sent alone', (_name, part) => {
    const requests = [aRequest('a'), aRequest('p', part), aRequest('b')];
    expect(batched(requests)).toEqual(sends('a', 'b'));
    expect(batched(requests.slice(1))).toEqual(sends('p'));
  });

  test('contains requests of one size only, so that a bad URL is found among few', () => {
    const requests = [aRequest('a', { maxBatch: 7 }), aRequest('b'), ...many(8, { maxBatch: 7 })];
    expect(batched(requests)).toEqual(sends('a', 'r0', 'r1', 'r2', 'r3', 'r4', 'r5'));
  });

  test('stays below the 64 KiB that a service must accept, and contains at least one request', () => {
    const long = (id: string, bytes: number) => aRequest(id, { url: `https://x.example/${'ü'.repeat(bytes / 2)}` });
    expect(batched([long('a', 20_000), long('b', 20_000), long('c', 20_000), aRequest('d')])).toEqual(sends('a', 'b'));
    expect(batched([long('a', 90_000), aRequest('b')])).toEqual(sends('a'));
  });
});

describe('the permission to access the service', () => {
  const queue = aQueue({ requests: [aRequest('a')] });
  const blocked = (blocked: BlockReason, requests = [aRequest('a')]) => aQueue({ requests, state: { blocked } });

  test('unblocks a queue that waits for it, even if there is nothing to send', () => {
    expect(next(blocked('permission'), { isPermitted: true })).toEqual({ kind: 'unblock' });
    expect(next(blocked('permission', []), { isPermitted: true })).toEqual({ kind: 'unblock' });
    expect(next(blocked('permission'), { isPermitted: false })).toEqual(halted('permission'));
    expect(next(blocked('permission'))).toEqual(halted('permission'));
    expect(next(blocked('redirected'), { isPermitted: true })).toEqual(halted('redirected'));
  });

  test.each<[string, Queue]>([
    ['send', queue],
    ['probe', aQueue({ requests: [aRequest('a', { isSuspect: true })] })],
    ['look_up', aQueue({ connection: takesCodes(), requests: [sentRequest('a', { lookUpDue: true }, 'abc')] })],
  ])('is needed for each step that uses the network: %s', (kind, before) => {
    expect(next(before, { isPermitted: true })).toMatchObject({ kind });
    expect(next(before)).toMatchObject({ kind });
    expect(next(before, { isPermitted: false })).toEqual({ kind: 'block' });
  });

  test('does not matter for steps that do not use the network', () => {
    const none = { isPermitted: false };
    expect(next(aQueue(), none)).toEqual({ kind: 'idle' });
    expect(next(queue, { ...none, online: false })).toEqual(waits('offline', null));
  });
});
