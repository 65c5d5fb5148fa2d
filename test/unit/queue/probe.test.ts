import { describe, expect, test } from 'vitest';
import { nextStep } from '../../../src/queue/next-step.ts';
import { applyProbe } from '../../../src/queue/probe.ts';
import type { Connection, Queue, QueueState, Request } from '../../../src/queue/types.ts';
import type { ProbeResult } from '../../../src/servers/adapter.ts';
import {
  aQueue,
  aRequest,
  at,
  fullService,
  HOUR,
  MINUTE,
  NOW,
  sending,
  sentRequest,
  specOnly,
  takesCodes,
  well,
} from './support/queue-builders.ts';

/** Applies a probe result. By default, the service responds normally to the probe. */
const probed = (queue: Queue, probe: ProbeResult) =>
  applyProbe(queue, probe && { ...probe, service: probe.service ?? queue.connection.service }, at(), 0.5);
const waiting = aRequest('w');

/** Returns a queue whose last send failed: it got no answer, or a gateway refused it. */
function suspected(ids: string[], part: Partial<Request> = {}, connection: Connection = fullService()): Queue {
  const requests = ids.map((id) => sentRequest(id, { isSuspect: true, ...part }));
  return aQueue({ connection, requests });
}

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

  test('is the reason for a missing response, and the request continues when the service returns', () => {
    const away = probed(suspected(['a']), null);
    expect(away.requests).toMatchObject([{ state: 'unknown', retryAt: null }]);
    const back = probed(away, well());
    expect(back.state).toMatchObject({ wait: null, failures: 0 });
    expect(nextStep(back, at(), { online: true })).toEqual({ kind: 'send', requestIds: ['a'] });
  });

  test('leaves a batch together, because the batch is not at fault', () => {
    expect(probed(suspected(['a', 'b']), null).requests).toMatchObject([{ maxBatch: 50 }, { maxBatch: 50 }]);
  });

  test('has its request with a short code looked up when it returns, and never more sends than before', () => {
    const back = (...ids: string[]) =>
      probed(suspected(ids, sentRequest('', { attempts: 5 }, 'abc'), takesCodes()), null).requests;
    expect(back('a')).toMatchObject([{ lookUpDue: true, attempts: 5 }]);
    // Sending a batch again costs less time than looking up each of its links.
    expect(back('a', 'b')).toMatchObject([{ lookUpDue: false }, { lookUpDue: false }]);
    expect(probed(suspected(['a'], { attempts: 5 }), null).requests).toMatchObject([{ lookUpDue: false, attempts: 5 }]);
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
  const next = (queue: Queue, ms = 0) => nextStep(queue, at(ms), { online: true });

  test('receives a request without an answer again after growing delays, three times a day', () => {
    const retryAt = (attempts: number) => probed(suspected(['a'], { attempts }), well()).requests[0]?.retryAt;
    expect([1, 2, 3, 4].map(retryAt)).toEqual([NOW + 2_250, NOW + 22_500, NOW + 25 * HOUR, NOW + 2_250]);
  });

  test('is first asked for the link if the request has a short code', () => {
    const after = probed(suspected(['a'], sentRequest('a', {}, 'abc'), takesCodes()), well());
    expect(after.requests).toMatchObject([{ lookUpDue: true, retryAt: null }]);
    const refused = suspected(
      ['a'],
      { ...sentRequest('a', {}, 'abc'), state: 'waiting', mayExist: false },
      takesCodes(),
    );
    expect(probed(refused, well()).requests).toMatchObject([{ lookUpDue: false, retryAt: NOW + 2_250 }]);
  });

  test('receives the other requests meanwhile, and the delayed request after them', () => {
    const before = suspected(['a']);
    const after = probed({ ...before, requests: [...before.requests, waiting] }, well());
    // A request that failed alone must not make a batch fail.
    for (const ms of [0, MINUTE]) expect(next(after, ms)).toEqual({ kind: 'send', requestIds: ['w'] });
    const alone = { ...after, requests: after.requests.slice(0, 1) };
    expect(next(alone, MINUTE)).toEqual({ kind: 'send', requestIds: ['a'] });
  });

  test('receives a failed batch at once in smaller batches, to find the request at fault', () => {
    const ids = Array.from({ length: 9 }, (_, index) => `r${index}`);
    const sevens = probed(suspected(ids), well());
    expect(next(sevens)).toEqual({ kind: 'send', requestIds: ids.slice(0, 7) });
    const others = aQueue({ connection: fullService(), requests: [...suspected(ids).requests, waiting] });
    expect(probed(others, well()).requests.at(-1)).toEqual(waiting);
    expect(next(probed(suspected(ids.slice(0, 7)), well()))).toEqual({ kind: 'send', requestIds: ['r0'] });
  });

  test('keeps a longer delay that it requested', () => {
    const wait = { until: NOW + HOUR, reason: 'quota' as const, named: true };
    expect(probed(aQueue({ state: { failures: 5, wait } }), well()).state.wait).toBe(wait);
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

  test.each(['refused', 'forbidden'] as const)('with a key that is %s does not delay a request', (key) => {
    const after = probed(suspected(['a']), well({ key }));
    expect(after.requests).toMatchObject([{ state: 'unknown', retryAt: null }]);
    expect(after.state).toMatchObject({ failures: 0, wait: null });
    const refused = probed(suspected(['a'], { state: 'waiting', mayExist: false }), well({ key }));
    expect(refused.requests).toMatchObject([{ state: 'waiting', attempts: 0, retryAt: null }]);
  });

  test.each([
    ['refused', 'unauthorized'],
    ['forbidden', 'forbidden'],
  ] as const)('with a key that is %s blocks the queue, and does not count as healthy', (key, blocked) => {
    const { state, connection } = probed(aQueue(), well({ key }));
    expect(state.blocked).toBe(blocked);
    expect(connection.lastSeenWellAt).toBeNull();
  });

  test('tells the kind of the service, unless the user chose the kind', () => {
    const kindAfter = (part: Partial<Connection>, probe = well({ kind: 'shlink' })) =>
      probed(aQueue({ connection: { ...specOnly, ...part } }), probe).connection.kind;
    expect(kindAfter({})).toBe('shlink');
    expect(kindAfter({ kind: 'kutt', isKindChosen: true })).toBe('kutt');
    expect(kindAfter({ kind: 'kutt' }, well())).toBe('kutt');
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
    expect(probed(aQueue({ requests: [waiting] }), result).limits.reported).toMatchObject({
      remaining: 4,
      resetAt: NOW + MINUTE,
    });
    expect(probed(sending(['a']), result).limits.reported).toBeNull();
  });
});

describe('a probe with a redirect', () => {
  const redirected = well({ redirected: true });

  test('counts as unreachable if the service is known, or if it worked before and now leaves a send unanswered', () => {
    const pauseOf = (connection: Connection, suspect = false) => {
      const { requests } = suspected(suspect ? ['a'] : [], {}, connection);
      const queue = aQueue({ connection, requests: [waiting, ...requests] });
      return applyProbe(queue, redirected, at(), 0.5).state.wait?.reason;
    };
    const worked = { ...specOnly, lastSeenWellAt: NOW };
    expect([pauseOf(fullService()), pauseOf(worked, true)]).toEqual(['unreachable', 'unreachable']);
    expect([pauseOf(worked), pauseOf(specOnly, true)]).toEqual([undefined, undefined]);
  });

  test('does not matter if the key was accepted or the service document was read', () => {
    const queue = aQueue({ connection: fullService() });
    expect(applyProbe(queue, { ...redirected, key: 'accepted' }, at(), 0.5).state.wait).toBeNull();
    expect(probed(queue, redirected).state.wait).toBeNull();
  });
});

describe('a page in place of a service document', () => {
  test('keeps the known document, and nothing is sent before the document returns', () => {
    const queue = suspected(['a']);
    const after = applyProbe(queue, well({ isPage: true }), at(), 0.5);
    expect(after.connection).toEqual(queue.connection);
    expect(after.state.wait?.reason).toBe('unreachable');
    expect(probed(after, well())).toMatchObject({ requests: [{ retryAt: null }] });
  });

  test('changes nothing if no document was ever known, unless the last POST returned a page too', () => {
    const page = { problem: { code: 'not_understood', message: '' } } as const;
    const pauseOf = (queue: Queue) => applyProbe(queue, well({ isPage: true }), at(), 0.5).state.wait?.reason;
    expect(pauseOf(suspected(['a'], {}, specOnly))).toBeUndefined();
    const doubted = suspected(['a'], { ...page, state: 'uncertain' }, specOnly);
    expect(pauseOf(doubted)).toBe('unreachable');
    const other = sentRequest('b', { isSuspect: true });
    expect(pauseOf({ ...doubted, requests: [...doubted.requests, other] })).toBe('unreachable');
    expect(pauseOf(applyProbe(doubted, well({ isPage: true }), at(), 0.5))).toBe('unreachable');
  });

  test('does not matter if the service accepts the key', () => {
    const probe = well({ isPage: true, key: 'accepted' });
    expect(applyProbe(suspected(['a']), probe, at(), 0.5).state.wait).toBeNull();
  });

  test('is not the same as a missing document, for example after a temporary error', () => {
    expect(applyProbe(suspected(['a']), well(), at(), 0.5).state.wait).toBeNull();
  });
});
