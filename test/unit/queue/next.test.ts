import { FEATURE } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { type Action, isNext, nextAction, openAttempt, type Surroundings } from '../../../src/queue/next.ts';
import type { Snapshot } from '../../../src/queue/types.ts';
import { anAttempt, aRequest, aSnapshot, at, fullService, HOUR, NOW, SECOND, specOnly } from './given.ts';

const THERE: Surroundings = { online: true, reachedAt: NOW };
const spent = {
  sends: Array.from({ length: 20 }, () => ({ atService: NOW, confirmed: true })),
  evidence: { local: NOW, service: NOW, lifetime: 'first' },
};

function next(snapshot: Snapshot, around: Partial<Surroundings> = {}, ms = 0, lifetime = 'first'): Action {
  return nextAction(snapshot, at(ms, lifetime), { ...THERE, ...around });
}

const sends = (...requestIds: string[]): Action => ({ kind: 'send', requestIds });

describe('without a network', () => {
  const offline = (baseUrl: string) =>
    next(aSnapshot({ connection: { ...specOnly, baseUrl }, requests: [aRequest('a')] }), { online: false });

  test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://terse.localhost/api'])(
    'a service on this computer is there all the same (%s)',
    (baseUrl) => {
      expect(offline(baseUrl)).toEqual(sends('a'));
    },
  );

  test.each(['https://a.example', 'http://localhost.example'])('any other is not (%s)', (baseUrl) => {
    expect(offline(baseUrl)).toEqual({ kind: 'wait', reason: 'offline', until: null });
  });
});

describe('what stands in the way', () => {
  // Each holds besides everything after it: the first is what is told.
  const everything = {
    queue: {
      halt: 'unauthorized' as const,
      pause: { until: NOW + 9_000, reason: 'busy' as const },
      lastEndedAt: NOW,
    },
    budget: spent,
    requests: [aRequest('a')],
  };
  const { halt: _, ...running } = everything.queue;
  const { pause: __, ...paced } = running;
  const offline = { online: false, reachedAt: null };
  const unseen = { reachedAt: null };

  test.each([
    ['nothing waits', aSnapshot({ ...everything, requests: [] }), offline, { kind: 'idle' }],
    ['no connection', aSnapshot({ ...everything, connection: null, budget: null }), offline, held('no_connection')],
    ['a halt', aSnapshot(everything), offline, held('unauthorized')],
    ['no network', aSnapshot({ ...everything, queue: running }), offline, waits('offline', null)],
    ['a pause', aSnapshot({ ...everything, queue: running }), unseen, waits('busy', NOW + 9_000)],
    ['the throttle', aSnapshot({ ...everything, queue: paced }), unseen, waits('throttle', NOW + 1_000)],
    ['the quota', aSnapshot({ ...everything, queue: {} }), unseen, waits('quota', NOW + 25 * HOUR)],
    ['a service not seen yet', aSnapshot({ requests: [aRequest('a')] }), unseen, { kind: 'look' }],
    ['nothing', aSnapshot({ requests: [aRequest('a')] }), {}, sends('a')],
  ])('%s', (_name, snapshot, around, action) => {
    expect(next(snapshot, around)).toEqual(action);
  });

  test('a send under way, whatever else there is', () => {
    const queue = { ...everything.queue, attempt: anAttempt(['b']) };
    expect(next(aSnapshot({ ...everything, queue }))).toEqual({ kind: 'idle' });
  });

  test('only requests that wait are sent', () => {
    const requests = [aRequest('a', { state: 'failed' }), aRequest('b', { state: 'unknown' }), aRequest('c')];
    expect(next(aSnapshot({ requests }))).toEqual(sends('c'));
    expect(next(aSnapshot({ requests: requests.slice(0, 2) }))).toEqual({ kind: 'idle' });
  });

  function held(reason: 'unauthorized' | 'no_connection'): Action {
    return { kind: 'held', reason };
  }
  function waits(reason: 'offline' | 'busy' | 'throttle' | 'quota', until: number | null): Action {
    return { kind: 'wait', reason, until };
  }
});

describe('pacing', () => {
  const requests = [aRequest('a')];

  test('counts a second from the end of the last attempt', () => {
    const snapshot = aSnapshot({ requests, queue: { lastEndedAt: NOW } });
    expect(next(snapshot, {}, 999)).toMatchObject({ kind: 'wait', reason: 'throttle' });
    expect(next(snapshot, {}, 1_000)).toEqual(sends('a'));
  });

  test('takes what the service has told instead', () => {
    const snapshot = aSnapshot({ requests, queue: { lastEndedAt: NOW }, budget: { gapMs: 5_000 } });
    expect(next(snapshot, {}, 4_999)).toMatchObject({ until: NOW + 5_000 });
    expect(next(snapshot, {}, 5_000)).toEqual(sends('a'));
  });

  test('a pause ends at its time', () => {
    const snapshot = aSnapshot({ requests, queue: { pause: { until: NOW + 10, reason: 'unreachable' } } });
    expect(next(snapshot, {}, 9)).toEqual({ kind: 'wait', reason: 'unreachable', until: NOW + 10 });
    expect(next(snapshot, {}, 10)).toEqual(sends('a'));
  });
});

test('the last unit of the quota can be used', () => {
  const budget = { ...spent, sends: spent.sends.slice(1) };
  expect(next(aSnapshot({ requests: [aRequest('a')], budget }))).toEqual(sends('a'));
});

describe('who is next', () => {
  const requests = [aRequest('a'), aRequest('b')];
  const nexts = (snapshot: Snapshot) => snapshot.requests.filter((one) => isNext(one, snapshot)).map(({ id }) => id);

  test('is the oldest, or all that go with it in a batch', () => {
    expect(nexts(aSnapshot({ requests }))).toEqual(['a']);
    expect(nexts(aSnapshot({ requests, connection: fullService() }))).toEqual(['a', 'b']);
    expect(nexts(aSnapshot({ requests: [aRequest('f', { state: 'failed' }), ...requests] }))).toEqual(['a']);
    expect(nexts(aSnapshot({ requests, connection: null }))).toEqual([]);
  });

  test('is whoever is in the open attempt', () => {
    const queue = { attempt: anAttempt(['b'], { inFlight: false }) };
    expect(nexts(aSnapshot({ requests, connection: fullService(), queue }))).toEqual(['b']);
  });
});

describe('a look comes first', () => {
  const requests = [aRequest('a')];

  test('where a lost answer could not be asked for again, and nobody was there for 5 seconds', () => {
    const snapshot = aSnapshot({ requests });
    expect(next(snapshot, { reachedAt: NOW - 5 * SECOND })).toEqual(sends('a'));
    expect(next(snapshot, { reachedAt: NOW - 5 * SECOND - 1 })).toEqual({ kind: 'look' });
    expect(next(aSnapshot({ requests, connection: fullService(FEATURE.batch) }), { reachedAt: null })).toEqual({
      kind: 'look',
    });
  });

  test('not at a service with idempotency: its answer can be asked for again', () => {
    const snapshot = aSnapshot({ requests, connection: fullService() });
    expect(next(snapshot, { reachedAt: null })).toEqual(sends('a'));
  });

  test('at any service whose quota only seems to be back after a gap between two lives', () => {
    const snapshot = aSnapshot({ requests, connection: fullService(), budget: spent });
    expect(next(snapshot, {}, 26 * HOUR)).toEqual(sends('a'));
    expect(next(snapshot, {}, 26 * HOUR, 'second')).toEqual({ kind: 'look' });
  });
});

describe('an open attempt', () => {
  const open = anAttempt(['a'], { inFlight: false });
  const requests = [aRequest('a', { state: 'unknown', attempts: 1 }), aRequest('b')];

  test('is sent again before anything else', () => {
    const snapshot = aSnapshot({ connection: fullService(), requests, queue: { attempt: open } });
    expect(next(snapshot)).toEqual({ kind: 'resend' });
  });

  test('waits for budget and pauses as a first send does', () => {
    const queue = { attempt: open, pause: { until: NOW + 10, reason: 'unreachable' as const } };
    const snapshot = aSnapshot({ connection: fullService(), requests, queue });
    expect(next(snapshot)).toEqual({ kind: 'wait', reason: 'unreachable', until: NOW + 10 });
    expect(
      next(aSnapshot({ ...snapshot, connection: fullService(), queue: { attempt: open }, budget: spent })),
    ).toEqual({ kind: 'wait', reason: 'quota', until: NOW + 25 * HOUR });
  });

  test('is none at another connection, nor where keys are not honoured, nor while it is in flight', () => {
    const of = (attempt: typeof open, connection = fullService()) =>
      openAttempt(aSnapshot({ connection, queue: { attempt } }));
    expect(of(open)).toBe(open);
    expect(of({ ...open, connectionId: 'other' })).toBeNull();
    expect(of(open, specOnly)).toBeNull();
    expect(of({ ...open, inFlight: true })).toBeNull();
    expect(openAttempt(aSnapshot({ connection: null }))).toBeNull();
  });
});

describe('a batch', () => {
  const many = (count: number, part = {}) => Array.from({ length: count }, (_, n) => aRequest(`r${n}`, part));
  const ids = (requests: { id: string }[]) => sends(...requests.map(({ id }) => id));
  const at50 = (requests: ReturnType<typeof many>) => next(aSnapshot({ connection: fullService(), requests }));

  test('takes all that wait, oldest first', () => {
    expect(at50(many(3))).toEqual(sends('r0', 'r1', 'r2'));
  });

  test('takes 50 at most', () => {
    expect(at50(many(50))).toEqual(ids(many(50)));
    expect(at50(many(51))).toEqual(ids(many(50)));
  });

  test('is not made for a service that does not say it takes any', () => {
    const connection = fullService(FEATURE.idempotency);
    expect(next(aSnapshot({ connection, requests: many(3) }))).toEqual(sends('r0'));
    expect(next(aSnapshot({ requests: many(3) }))).toEqual(sends('r0'));
  });

  test('never holds a private request: those go alone, and the others without them', () => {
    const requests = [aRequest('a'), aRequest('p', { private: true }), aRequest('b')];
    expect(at50(requests)).toEqual(sends('a', 'b'));
    expect(at50(requests.slice(1))).toEqual(sends('p'));
  });

  test('never holds a request that was sent before: by itself, under its own key, it may still be known', () => {
    const requests = [aRequest('a'), aRequest('again', { attempts: 1 }), aRequest('b')];
    expect(at50(requests)).toEqual(sends('a', 'b'));
    expect(at50(requests.slice(1))).toEqual(sends('again'));
  });

  test('stays below the 64 KiB a service has to take, and holds one at least', () => {
    const long = (id: string, bytes: number) => aRequest(id, { url: `https://x.example/${'ü'.repeat(bytes / 2)}` });
    expect(at50([long('a', 20_000), long('b', 20_000), long('c', 20_000), aRequest('d')])).toEqual(sends('a', 'b'));
    expect(at50([long('a', 90_000), aRequest('b')])).toEqual(sends('a'));
  });
});
