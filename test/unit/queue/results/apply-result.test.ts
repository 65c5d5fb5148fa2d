import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../../src/queue/add-replace-delete-connection.ts';
import { applyResult, codeIn } from '../../../../src/queue/results/apply-result.ts';
import { startAttempt } from '../../../../src/queue/start-attempt.ts';
import type { Attempt, Queue, Request } from '../../../../src/queue/types.ts';
import type { AttemptResult } from '../../../../src/servers/adapter.ts';
import {
  anAttempt,
  anOpenAttempt,
  answered,
  aQueue,
  aRequest,
  at,
  created,
  forNow,
  fullService,
  HOUR,
  lost,
  NOW,
  notMade,
  type Parts,
  refused,
  SECOND,
  sending,
  specOnly,
  statesOf,
  takesCodes,
  unanswered,
  unclear,
} from '../support/queue-builders.ts';

/** Applies a result to the attempt in flight. Tests pass `attempt` if the queue has deleted this attempt. */
function settled(queue: Queue, outcome: AttemptResult, attempt?: Attempt) {
  const inFlight = attempt ?? queue.attempts.find((one) => one.inFlight);
  if (!inFlight) throw new Error('No attempt is in flight.');
  return applyResult(queue, inFlight, outcome, at(80), 0.5);
}

const full = { connection: fullService() };

describe('a generated short code that the service refuses', () => {
  const connection = takesCodes(FEATURE.batch, FEATURE.itemIdempotency);
  const sent = () => {
    const before = sending(['a'], { connection });
    return { ...before, requests: before.requests.map((one) => ({ ...one, generatedCode: 'taken' })) };
  };

  test.each(['short_code_taken', 'invalid_short_code'] as const)('fails its request visibly: %s', (code) => {
    const { queue, links } = settled(sent(), answered([refused(code)]));
    expect(links).toEqual([]);
    expect(queue.attempts).toEqual([]);
    expect(queue.requests).toMatchObject([{ state: 'failed', problem: { code: 'generated_code_taken' } }]);
  });

  test('in a batch fails alone, and the other links are created', () => {
    const before = sending(['a', 'b'], { connection });
    const requests = before.requests.map((one) => ({ ...one, generatedCode: 'taken' }));
    const { queue, links } = settled({ ...before, requests }, answered([created(), refused('short_code_taken')]));
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(queue.requests).toMatchObject([{ id: 'b', state: 'failed' }]);
  });

  test('is distinguished from a code that the user chose, a used idempotency key, and other refusals', () => {
    const chosen = sending(['a'], { connection });
    const options = { ...NO_OPTIONS, shortCode: 'mine' };
    const requests = chosen.requests.map((one) => ({ ...one, options }));
    expect(statesOf(settled({ ...chosen, requests }, answered([refused('short_code_taken')])).queue)).toEqual([
      'a failed',
    ]);
    const inFlight = settled(sent(), answered([forNow('busy')])).queue.requests;
    expect(inFlight).toMatchObject([{ state: 'waiting', generatedCode: 'taken', idempotencyKey: 'key-a' }]);
    expect(statesOf(settled(sent(), answered([refused('refused')])).queue)).toEqual(['a failed']);
  });
});

describe('one request', () => {
  test('becomes a link and leaves the queue if the service created the link', () => {
    const { queue, links } = settled(sending(['a']), answered([created('https://s.example/1')]));
    expect(queue.requests).toEqual([]);
    expect(links).toEqual([
      {
        id: 'a',
        connectionId: 'c',
        groupId: null,
        url: 'https://x.example/a',
        title: 'Page a',
        shortUrl: 'https://s.example/1',
        shortCode: '1',
        createdAt: at(80),
        expiresAt: null,
        tags: [],
      },
    ]);
  });

  test('passes its title, tags, group, expiry and window to its link', () => {
    const before = sending(['a']);
    const options = { ...NO_OPTIONS, title: 'Birds', expiresAt: '2027-01-01T00:00:00Z', tags: ['birds'] };
    const requests = before.requests.map((request) => ({ ...request, groupId: 'g', options }));
    expect(settled({ ...before, requests }, answered([created()])).links[0]).toMatchObject({
      groupId: 'g',
      title: 'Birds',
      tags: ['birds'],
      expiresAt: Date.UTC(2027, 0, 1),
    });
  });

  test.each([
    ['failed if it was refused permanently', answered([refused('invalid_url')]), 'failed', 'invalid_url', 'No.'],
    ['waiting if it was refused temporarily', answered([forNow('throttled', 3)]), 'waiting', 'throttled', 'Later.'],
    [
      'uncertain after an unreadable response',
      answered([unclear('not_understood')]),
      'uncertain',
      'not_understood',
      '',
    ],
    ['uncertain without a response', lost(), 'uncertain', 'no_answer', ''],
  ] as const)('is %s, with the reason', (_name, outcome, state, code, message) => {
    const { queue, links } = settled(sending(['a']), outcome);
    expect(queue.requests).toMatchObject([{ id: 'a', state, problem: { code, message } }]);
    expect(queue.attempts).toEqual([]);
    expect(links).toEqual([]);
  });

  test('without a response is unanswered if the service supports idempotency keys, and is sent again automatically', () => {
    expect(statesOf(settled(sending(['a'], full), lost()).queue)).toEqual(['a unknown']);
  });
});

describe('a batch', () => {
  const mixed = answered([created(), refused('invalid_url'), forNow('busy'), unclear('server_error')], {
    conclusive: true,
  });

  test('ends each request separately', () => {
    const { queue, links } = settled(sending(['a', 'b', 'c', 'd'], full), mixed);
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(statesOf(queue)).toEqual(['b failed', 'c waiting', 'd unknown']);
    expect(queue.attempts).toMatchObject([{ requestIds: ['d'], inFlight: false }]);
  });

  test('changes no request outside the batch', () => {
    const others = [aRequest('w'), aRequest('f', { state: 'failed' }), aRequest('u', { state: 'uncertain' })];
    expect(settled(sending(['a'], { requests: others }), answered([created()])).queue.requests).toEqual(others);
  });

  test('creates no link for a request that was canceled meanwhile', () => {
    const before = sending(['a', 'b']);
    const { queue, links } = settled(
      { ...before, requests: before.requests.slice(1) },
      answered([created('https://s.example/a'), created('https://s.example/b')]),
    );
    expect(links.map(({ id, shortUrl }) => `${id} ${shortUrl}`)).toEqual(['b https://s.example/b']);
    expect(queue.requests).toEqual([]);
  });

  test('creates links in the order of the requests', () => {
    const { links } = settled(sending(['a', 'b', 'c'], full), answered([created(), created(), created()]));
    expect(links.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(links.toSorted((one, other) => one.createdAt - other.createdAt)).toEqual(links);
  });

  test('that is refused as a whole sends each request alone afterwards', () => {
    const whole = answered([refused('refused'), refused('refused')], { refusedAsWhole: true });
    const { queue } = settled(sending(['a', 'b'], full), whole);
    expect(queue.requests).toMatchObject([
      { id: 'a', state: 'waiting', alone: true, problem: { code: 'refused' } },
      { id: 'b', state: 'waiting', alone: true },
    ]);
    expect(queue.attempts).toEqual([]);
    expect(queue.state.blocked).toBeNull();
  });

  test('fails a request that is refused again when it is sent alone', () => {
    const alone = sending(['a'], full);
    expect(statesOf(settled(alone, answered([refused('refused')])).queue)).toEqual(['a failed']);
  });
});

describe('a batch with item keys', () => {
  const ids = ['a', 'b', 'c'];
  const sent = (sends = 1) => {
    const requests = ids.map((id) => aRequest(id));
    const queue = startAttempt(aQueue({ ...full, requests }), ids, 'batch', at());
    return { ...queue, attempts: queue.attempts.map((attempt) => ({ ...attempt, sends, parks: sends - 1 })) };
  };
  const answeredOne = answered([created(), unclear('server_error'), refused('invalid_url')], { conclusive: true });

  test('sends a URL with an error again automatically, after a delay and with the same key', () => {
    const { queue, links } = settled(sent(), answeredOne);
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(queue.requests).toMatchObject([
      { id: 'b', state: 'unknown', problem: { code: 'server_error' } },
      { id: 'c', state: 'failed' },
    ]);
    expect(queue.attempts).toMatchObject([
      { requestIds: ['b'], path: '/api/v1/urls', idempotencyKey: 'key-b', inFlight: false, suspect: false, sends: 1 },
    ]);
    expect(queue.attempts[0]?.parkedUntil).toBe(at(80) + 2_250);
  });

  test('keeps several URLs with errors together, including URLs that the response omits', () => {
    const { queue } = settled(sent(), answered([created(), unclear('server_error')], { conclusive: true }));
    expect(statesOf(queue)).toEqual(['b unknown', 'c unknown']);
    expect(queue.attempts).toMatchObject([{ requestIds: ['b', 'c'], path: '/api/v1/urls/batch', parks: 1 }]);
    expect(queue.attempts[0]?.idempotencyKey).not.toBe('batch');
  });

  test('delays URLs with errors longer each time, and leaves them to the user after six sends', () => {
    const parkedFor = (sends: number) => (settled(sent(sends), answeredOne).queue.attempts[0]?.parkedUntil ?? 0) - NOW;
    expect([1, 2, 3, 4].map(parkedFor)).toEqual([2_250, 22_500, 225_000, 225_000].map((ms) => ms + 80));
    expect(settled(sent(6), answeredOne).queue).toMatchObject({
      attempts: [],
      requests: [
        { id: 'b', state: 'uncertain' },
        { id: 'c', state: 'failed' },
      ],
    });
  });

  test('needs a probe only if the response decided about none of its requests', () => {
    const state = { failures: 2 };
    const before = sent();
    const stateAfter = (outcome: AttemptResult) =>
      settled({ ...before, state: { ...before.state, ...state } }, outcome).queue.state;
    expect(stateAfter(answeredOne)).toMatchObject({ probeDue: false, failures: 0 });
    const nothing = answered(
      ids.map(() => unclear('server_error')),
      { conclusive: true },
    );
    expect(stateAfter(nothing)).toMatchObject({ probeDue: true, ...state });
  });

  test('leaves URLs with errors to the user if the service no longer supports item keys', () => {
    const before = { ...sent(), connection: fullService(FEATURE.idempotency, FEATURE.batch) };
    const { queue } = settled(before, answeredOne);
    expect(queue.attempts).toEqual([]);
    expect(statesOf(queue)).toEqual(['b uncertain', 'c failed']);
  });
});

describe('a refused key at a service without key checks', () => {
  const ids = ['a', 'b', 'c'];
  const all = (count: number) => answered(ids.slice(0, count).map(() => refused('unauthorized')));

  test('makes all requests of a batch wait, and all but the first may share a batch again', () => {
    const { queue } = settled(sending(ids, full), all(3));
    expect(queue).toMatchObject({ state: { blocked: 'unauthorized' }, attempts: [] });
    expect(queue.requests).toMatchObject([
      { id: 'a', state: 'waiting', attempts: 1, problem: { code: 'unauthorized' } },
      { id: 'b', state: 'waiting', attempts: 0 },
      { id: 'c', state: 'waiting', attempts: 0 },
    ]);
  });

  test.each([1, 3])(
    'does not affect an earlier send without a response (%i requests), which is sent again',
    (count) => {
      const { queue } = settled(sending(ids.slice(0, count), { ...full, attempt: { sends: 2 } }), all(count));
      expect(queue).toMatchObject({
        state: { blocked: 'unauthorized' },
        attempts: [{ inFlight: false, suspect: false }],
      });
      expect(queue.requests.map(({ state }) => state)).toEqual(ids.slice(0, count).map(() => 'unknown'));
    },
  );
});

test.each(['unauthorized', 'not_a_service', 'redirected'] as const)(
  '%s at a service that has never worked fails a request that was sent alone, and blocks the queue',
  (code) => {
    const { queue } = settled(sending(['a']), answered([refused(code)]));
    expect(queue.requests).toMatchObject([{ state: 'failed', problem: { code } }]);
    expect(queue).toMatchObject({ state: { blocked: code }, attempts: [] });
  },
);

test('a key without permission blocks the queue, and the request waits as if it had not been sent', () => {
  const { queue } = settled(sending(['a'], full), answered([refused('forbidden')]));
  expect(queue.requests).toMatchObject([{ state: 'waiting', attempts: 0, problem: { code: 'forbidden' } }]);
  expect(queue).toMatchObject({ state: { blocked: 'forbidden' }, attempts: [] });
  const batch = settled(sending(['a', 'b'], full), answered([refused('forbidden'), refused('forbidden')])).queue;
  expect(batch.requests).toMatchObject([
    { state: 'waiting', attempts: 1 },
    { state: 'waiting', attempts: 0 },
  ]);
});

test('the code of a link is the last part of its short URL', () => {
  expect(codeIn('https://s.example/path/code?x#y')).toBe('code');
  expect(codeIn('https://s.example/')).toBe('');
  expect(codeIn('nonsense')).toBe('');
});

describe('a request that was turned away before it reached the service', () => {
  const keyed = { connection: fullService(FEATURE.idempotency, FEATURE.key) };
  const worked = { connection: { ...specOnly, lastSeenWellAt: NOW - HOUR } };

  test.each([
    ['not_a_service', worked, 'gateway_refused'],
    ['redirected', worked, 'gateway_refused'],
    ['not_a_service', full, 'gateway_refused'],
    ['unauthorized', keyed, 'unauthorized'],
  ] as const)('waits for a probe (%s)', (code, parts, problem) => {
    const { queue } = settled(sending(['a'], parts), answered([refused(code)]));
    expect(queue.requests).toMatchObject([{ state: 'waiting', problem: { code: problem } }]);
    expect(queue.attempts).toMatchObject([{ inFlight: false, suspect: true, refusals: 1 }]);
    expect(queue.state).toMatchObject({ blocked: null, probeDue: true });
  });

  const third = (refusals: number, parts: Parts = {}, outcome = notMade()) =>
    settled(sending(['a'], { ...parts, attempt: { sends: 3, refusals } }), answered([outcome])).queue;

  test('fails after the third refusal', () => {
    for (const parts of [{}, full]) {
      expect(third(2, parts)).toMatchObject({
        attempts: [],
        requests: [{ state: 'failed', problem: { code: 'gateway_refused' } }],
      });
    }
  });

  test('fails without asking for another key if a probe has shown that the key is accepted', () => {
    const failed = third(2, keyed, notMade('unauthorized'));
    expect(failed.requests).toMatchObject([{ state: 'failed', problem: { code: 'refused' } }]);
  });

  test('continues if an earlier send got no response, and is uncertain after six sends', () => {
    expect(third(1, full).attempts).toMatchObject([{ refusals: 2, sends: 3 }]);
    const sixth = sending(['a'], { ...full, attempt: { sends: 6, refusals: 2 } });
    expect(statesOf(settled(sixth, answered([notMade()])).queue)).toEqual(['a uncertain']);
  });
});

describe('an attempt', () => {
  const later = answered([forNow('busy')]);

  test('ends with its response, and the pace counts from then on', () => {
    const { queue } = settled(sending(['a']), answered([created()]));
    expect(queue.attempts).toEqual([]);
    expect(queue.state.lastEndedAt).toBe(at(80));
  });

  test.each([
    ['no answer', lost(), true],
    ['a temporary refusal', later, false],
  ])('stays open after %s only if the service supports idempotency keys', (_name, outcome, suspect) => {
    const before = sending(['a'], full);
    expect(settled(before, outcome).queue.attempts).toEqual([{ ...before.attempts[0], inFlight: false, suspect }]);
    expect(settled(sending(['a']), outcome).queue.attempts).toEqual([]);
  });

  test.each([
    ['nonsense', answered([unclear('not_understood')])],
    ['a server error', answered([unclear('server_error')])],
    ['nothing', lost()],
  ])('that gets %s for the sixth time is left to the user, and the queue continues', (_name, outcome) => {
    const afterSend = (sends: number) =>
      settled(sending(['a'], { ...full, attempt: { sends }, requests: [aRequest('b')] }), outcome).queue;
    expect(statesOf(afterSend(5))).toEqual(['a unknown', 'b waiting']);
    expect(statesOf(afterSend(6))).toEqual(['a uncertain', 'b waiting']);
    expect(afterSend(6).attempts).toEqual([]);
  });

  test('is not left to the user if the service is busy', () => {
    const { queue } = settled(sending(['a'], { ...full, attempt: { sends: 9 } }), later);
    expect(queue.attempts).toMatchObject([{ inFlight: false, sends: 9 }]);
    expect(statesOf(queue)).toEqual(['a waiting']);
  });

  test('ends when the service has decided about its requests, even if only temporarily', () => {
    const before = sending(['a', 'b'], full);
    expect(settled(before, answered([created(), forNow('busy')], { conclusive: true })).queue.attempts).toEqual([]);
  });

  test('stays open and unchanged while another attempt ends', () => {
    const parked = anOpenAttempt(['p'], { parkedUntil: NOW + 9, parks: 1 });
    const requests = [aRequest('p', { state: 'unknown' })];
    for (const outcome of [answered([created()]), lost(), later]) {
      const { queue } = settled(sending(['a'], { ...full, attempts: [parked], requests }), outcome);
      expect(queue.attempts).toContain(parked);
      expect(queue.requests).toContain(requests[0]);
    }
  });
});

describe('a response to a request that a new worker has taken over', () => {
  const takenOver = (part: Partial<Request>) => {
    const before = unanswered(['a']);
    return { ...before, requests: before.requests.map((request) => ({ ...request, ...part })) };
  };

  test('creates its link', () => {
    const before = takenOver({});
    expect(settled(before, answered([created()]), before.attempts[0]).links).toMatchObject([{ id: 'a' }]);
  });

  test.each(['failed', 'uncertain', 'waiting'] as const)('is not used if the request is already %s', (state) => {
    const before = takenOver({ state });
    const { queue, links } = settled(before, answered([created()]), before.attempts[0]);
    expect([queue.requests, links]).toEqual([before.requests, []]);
  });
});

test('a repeated batch ends if the service has created one of its links, even if it refused the key for another', () => {
  const outcome = answered([refused('unauthorized'), created()]);
  const { queue } = settled(sending(['a', 'b'], { ...full, attempt: { sends: 2 } }), outcome);
  expect(queue.attempts).toEqual([]);
  expect(queue.connection.lastSeenWellAt).toBe(at(80));
});

test('a batch with one unclear result needs a probe if the service has decided about no other request', () => {
  const after = (...items: AttemptResult['items']) =>
    settled(sending(['a', 'b'], full), answered(items, { conclusive: false })).queue;
  const undecided = after(forNow('busy'), unclear('server_error'));
  expect(undecided).toMatchObject({ state: { probeDue: true }, attempts: [{ suspect: true }] });
  expect(after(created(), unclear('server_error')).state.probeDue).toBe(false);
  expect(after(refused('invalid_url'), unclear('server_error')).state.probeDue).toBe(false);
});

test('a response that was read after the computer slept does not update the quota', () => {
  const limitsAfter = (sentAt: number) => {
    const before = sending(['a'], { state: { lastEndedAt: sentAt } });
    const quota = { limit: 5, windowSeconds: 3_600, remaining: 4, resetSeconds: 60 };
    return settled(before, answered([created()], { limits: { throttle: null, quota } })).queue.limits;
  };
  expect(limitsAfter(at(80) - 30 * SECOND)).toMatchObject({ perDay: 5 });
  expect(limitsAfter(at(80) - 30 * SECOND - 1)).toMatchObject({ perDay: 20 });
});

describe('an attempt that is no longer in the queue', () => {
  const gone = anAttempt(['a', 'b']);
  const left = ['a', 'b'].map((id) => aRequest(id, { state: 'uncertain' }));
  const wait = { until: NOW + 9_000, reason: 'busy' as const, named: true };

  test('still creates its links', () => {
    const { queue, links } = settled(
      aQueue({ requests: left }),
      answered([created(), lost().items[0] ?? created()]),
      gone,
    );
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(statesOf(queue)).toEqual(['b uncertain']);
  });

  test("does not affect the connection's current key or address", () => {
    const before = aQueue({ state: { wait, failures: 2 }, requests: left });
    for (const outcome of [answered([refused('unauthorized'), refused('unauthorized')]), lost(2)]) {
      const { queue } = settled(before, outcome, gone);
      expect(queue.state).toEqual({ ...before.state, lastEndedAt: at(80) });
      expect(queue.limits).toBe(before.limits);
      expect(queue.requests).toEqual(left);
    }
  });

  test('also ends a newer attempt whose requests have all become links', () => {
    const again = anOpenAttempt(['a'], { id: 'again' });
    const before = aQueue({ ...full, attempts: [again], requests: [aRequest('a', { state: 'unknown' })] });
    const { queue, links } = settled(before, answered([created(), created()]), gone);
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(queue).toMatchObject({ attempts: [], requests: [] });
  });

  test('changes no request that is being sent again', () => {
    const before = sending(['a'], { ...full, attempt: { id: 'again' } });
    const { queue, links } = settled(before, answered([created(), created()]), gone);
    expect(links).toEqual([]);
    expect(queue.attempts).toEqual(before.attempts);
    expect(queue.requests).toEqual(before.requests);
  });
});
