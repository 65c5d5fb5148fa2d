import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { applyResult, codeIn } from '../../../src/queue/result.ts';
import type { Connection, Queue, QueueState, Request } from '../../../src/queue/types.ts';
import type { AttemptResult } from '../../../src/servers/adapter.ts';
import {
  answered,
  aQueue,
  aRequest,
  at,
  created,
  DAY,
  forNow,
  fullService,
  HOUR,
  lost,
  NOW,
  notMade,
  refused,
  sending,
  sentRequest,
  specOnly,
  statesOf,
  suspectsOf,
  takesCodes,
  unclear,
} from './support/queue-builders.ts';

const full = { connection: fullService() };
const keyed = { connection: fullService(FEATURE.idempotency, FEATURE.key) };
const worked = { connection: { ...specOnly, lastSeenWellAt: NOW - HOUR } };

function settled(
  queue: Queue,
  result: AttemptResult,
  sent = queue.requests.filter(({ state }) => state === 'sending'),
) {
  return applyResult(queue, sent, result, at(80), 0.5);
}

/** Returns the request after one send with this result. */
function afterSend(result: AttemptResult, part: Partial<Request> = {}, connection: Connection = fullService()) {
  const request = sentRequest('a', { state: 'sending', mayExist: false, ...part });
  return settled(aQueue({ connection, requests: [request] }), result).queue.requests[0];
}

describe('one request', () => {
  test('becomes a link with its title, tags, list and expiry, and leaves the queue', () => {
    const options = { ...NO_OPTIONS, title: 'Birds', expiresAt: '2027-01-01T00:00:00Z', tags: ['birds'] };
    const before = aQueue({ requests: [sentRequest('a', { state: 'sending', listId: 'g', options })] });
    const { queue, links } = settled(before, answered([created('https://s.example/1')]));
    expect(queue.requests).toEqual([]);
    expect(queue.state.lastEndedAt).toBe(at(80));
    expect(links).toEqual([
      {
        id: 'a',
        connectionId: 'c',
        listId: 'g',
        url: 'https://x.example/a',
        title: 'Birds',
        shortUrl: 'https://s.example/1',
        shortCode: '1',
        createdAt: at(80),
        expiresAt: Date.UTC(2027, 0, 1),
        tags: ['birds'],
      },
    ]);
  });

  test('without options becomes a link without an expiry and tags', () => {
    const { links } = settled(sending(['a']), answered([created()]));
    expect(links).toMatchObject([{ title: 'Page a', expiresAt: null, tags: [] }]);
  });

  test.each([
    ['failed if it was refused permanently', answered([refused('invalid_url')]), 'failed', 'invalid_url'],
    ['waiting if it was refused temporarily', answered([forNow('throttled', 3)]), 'waiting', 'throttled'],
    ['uncertain after an unreadable response', answered([unclear('not_understood')]), 'uncertain', 'not_understood'],
    ['uncertain without a response', lost(), 'uncertain', 'no_answer'],
  ] as const)('is %s, with the reason', (_name, result, state, code) => {
    expect(afterSend(result, {}, specOnly)).toMatchObject({ state, problem: { code } });
  });

  test('without a response is repeated automatically if the service recognizes it, six times at most', () => {
    expect(afterSend(lost())).toMatchObject({ state: 'unknown', mayExist: true });
    expect(afterSend(lost(), { attempts: 5 })).toMatchObject({ state: 'unknown' });
    expect(afterSend(lost(), { attempts: 6 })).toMatchObject({ state: 'uncertain' });
  });

  test('that may exist stays unknown while the service delays it or refuses the key', () => {
    for (const result of [forNow('throttled'), refused('forbidden')])
      expect(afterSend(answered([result]), { mayExist: true })).toMatchObject({ state: 'unknown', mayExist: true });
  });

  test('keeps its content in every case, so that the service recognizes it', () => {
    const { sent } = sentRequest('a');
    for (const result of [lost(), answered([forNow('busy')]), answered([notMade()])])
      expect(afterSend(result)?.sent).toEqual(sent);
  });

  test('is not counted if the service itself delays it, but is if a gateway may delay only this request', () => {
    expect(afterSend(answered([forNow('throttled')]), { attempts: 3 })).toMatchObject({ attempts: 2, retryAt: null });
    const byGateway = answered([forNow('throttled')], { answered: false });
    expect(afterSend(byGateway, { attempts: 2 })).toMatchObject({ attempts: 2, retryAt: at(80) });
    expect(afterSend(byGateway, { attempts: 3 })?.retryAt).toBe(at(80) + DAY + HOUR);
    const busy = afterSend(answered([forNow('busy')]), { attempts: 3 });
    expect(busy).toMatchObject({ attempts: 3, retryAt: at(80) + DAY + HOUR });
  });

  test('that was refused for its URL fails at once, even if probes check the key or the code was generated', () => {
    const connection = takesCodes(FEATURE.key);
    const request = sentRequest('a', { state: 'sending' }, 'abc');
    const after = afterSend(answered([refused('invalid_url')]), request, connection);
    expect(after).toMatchObject({ state: 'failed', problem: { code: 'invalid_url' } });
  });

  test('fails with the code that the user chose, not with a generated code, if that code is taken', () => {
    const options = { ...NO_OPTIONS, shortCode: 'birds' };
    const request = sentRequest('a', { state: 'sending', options });
    const after = afterSend(answered([refused('short_code_taken')]), request, takesCodes());
    expect(after).toMatchObject({ state: 'failed', problem: { code: 'short_code_taken' } });
  });

  test.each(['short_code_taken', 'invalid_short_code'] as const)(
    'fails visibly if its generated code is %s',
    (code) => {
      const connection = takesCodes();
      expect(
        afterSend(answered([refused(code)]), sentRequest('a', { state: 'sending' }, 'abc'), connection),
      ).toMatchObject({
        state: 'failed',
        problem: { code: 'generated_code_taken' },
      });
      expect(afterSend(answered([refused(code)]), {}, connection)?.problem?.code).toBe(code);
    },
  );
});

describe('a batch', () => {
  const ids = ['a', 'b', 'c', 'd'];

  test('ends each request separately, and delays those with errors without a probe', () => {
    const mixed = answered([created(), refused('invalid_url'), forNow('busy'), unclear('server_error')]);
    const { queue, links } = settled(sending(ids, full), mixed);
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(statesOf(queue)).toEqual(['b failed', 'c waiting', 'd unknown']);
    expect(queue.requests[1]).toMatchObject({ retryAt: at(80), maxBatch: 50 });
    expect(queue.requests[2]).toMatchObject({ retryAt: at(80) + 2_250, maxBatch: 1 });
    expect(suspectsOf(queue)).toEqual([]);
  });

  test('treats a request that the response omits as lost', () => {
    expect(statesOf(settled(sending(['a', 'b'], full), answered([created()])).queue)).toEqual(['b unknown']);
  });

  test('creates links in the order of the requests, but none for canceled requests', () => {
    const before = sending(['a', 'b', 'c'], full);
    const left = { ...before, requests: before.requests.slice(1) };
    const { links, queue } = settled(left, answered([created(), created(), created()]), before.requests);
    expect(links.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(links.toSorted((one, other) => one.createdAt - other.createdAt)).toEqual(links);
    for (const { createdAt } of links) expect(createdAt - at(80)).toBeLessThan(1);
    expect(queue.requests).toEqual([]);
  });

  test('that is refused as a whole is sent again in smaller batches, and does not block the queue', () => {
    const whole = (count: number) => answered(Array(count).fill(refused('refused')), { refusedAsWhole: true });
    const many = Array.from({ length: 8 }, (_, index) => `r${index}`);
    const { queue } = settled(sending(many, full), whole(8));
    expect(queue.requests[0]).toMatchObject({ state: 'waiting', attempts: 0, maxBatch: 7 });
    expect(queue.state.blocked).toBeNull();
    expect(settled(sending(['a', 'b'], full), whole(2)).queue.requests[0]?.maxBatch).toBe(1);
    expect(afterSend(whole(1))).toMatchObject({ state: 'failed' });
  });

  test('needs a probe only if the response decided about none of its requests', () => {
    const queueAfter = (...items: AttemptResult['items']) => settled(sending(['a', 'b'], full), answered(items)).queue;
    expect(suspectsOf(queueAfter(forNow('busy'), unclear('server_error')))).toEqual(['a', 'b']);
    expect(suspectsOf(queueAfter(forNow('busy'), forNow('busy')))).toEqual([]);
    expect(suspectsOf(queueAfter(created(), unclear('server_error')))).toEqual([]);
    expect(suspectsOf(queueAfter(refused('invalid_url'), unclear('server_error')))).toEqual([]);
  });
});

describe('a refused key or address', () => {
  test.each([
    ['unauthorized', {}],
    ['forbidden', full],
    ['not_a_service', {}],
    ['redirected', {}],
  ] as const)('blocks the queue, and all requests wait as if they had not been sent (%s)', (code, parts) => {
    const { queue } = settled(sending(['a', 'b'], parts), answered([refused(code), refused(code)]));
    expect(queue.state.blocked).toBe(code);
    expect(queue.requests).toMatchObject([
      { state: 'waiting', attempts: 0, problem: { code } },
      { state: 'waiting', attempts: 0 },
    ]);
  });

  test('is believed only after a probe if the service checks keys or has worked before', () => {
    for (const [code, parts, problem] of [
      ['not_a_service', worked, { code: 'gateway_refused', message: '' }],
      ['redirected', full, { code: 'gateway_refused', message: '' }],
      ['unauthorized', keyed, { code: 'unauthorized', message: 'No.' }],
    ] as const) {
      const { queue } = settled(sending(['a'], parts), answered([refused(code)]));
      expect(queue.requests).toMatchObject([{ state: 'waiting', problem }]);
      expect([queue.state.blocked, ...suspectsOf(queue)]).toEqual([null, 'a']);
    }
  });
});

test('a block because of a refused key ends when the service creates a link, and other blocks stay', () => {
  const blockAfter = (blocked: QueueState['blocked'], ...items: AttemptResult['items']) =>
    settled(sending(['a', 'b'], { ...full, state: { blocked } }), answered(items)).queue.state.blocked;
  expect(blockAfter('forbidden', created(), refused('invalid_url'))).toBeNull();
  expect(blockAfter('forbidden', refused('invalid_url'), refused('invalid_url'))).toBe('forbidden');
  expect(blockAfter('permission', created(), created())).toBe('permission');
});

describe('the service', () => {
  const connectionAfter = (result: AttemptResult) => settled(sending(['a'], full), result).queue.connection;

  test('counts as healthy from the moment at which it creates a link', () => {
    expect(connectionAfter(answered([created()]))).toEqual({ ...fullService(), lastSeenWellAt: at(80) });
    expect(connectionAfter(answered([forNow('busy')]))).toEqual(fullService());
  });

  test('is probed after a missing response, and its service document is kept', () => {
    expect(connectionAfter(lost())).toEqual({ ...fullService(), serviceReadAt: null });
  });
});

describe('a refusal by a gateway', () => {
  test('fails the request after three, without asking for another key', () => {
    expect(afterSend(answered([notMade()]), { attempts: 2 })).toMatchObject({ state: 'waiting' });
    expect(afterSend(answered([notMade()]), { attempts: 3 })).toMatchObject({
      state: 'failed',
      problem: { code: 'gateway_refused' },
    });
    const aboutKey = afterSend(answered([notMade('unauthorized')]), { attempts: 3 }, keyed.connection);
    expect(aboutKey?.problem?.code).toBe('refused');
  });

  test('never fails a request whose link may exist', () => {
    const third = afterSend(answered([notMade()]), { attempts: 3, mayExist: true });
    expect(third).toMatchObject({ state: 'unknown' });
    expect(afterSend(answered([notMade()]), { attempts: 6, mayExist: true })).toMatchObject({ state: 'uncertain' });
  });

  test('blocks a service that has never worked after three', () => {
    const third = (attempts: number) => {
      const request = sentRequest('a', { state: 'sending', mayExist: false, attempts });
      return settled(aQueue({ requests: [request] }), answered([notMade('redirected')])).queue.state.blocked;
    };
    expect([third(2), third(3)]).toEqual([null, 'redirected']);
  });
});

describe('the queue', () => {
  const busy = { until: NOW + 9_000, reason: 'busy' as const, named: false };

  test('waits as long as the service says, and otherwise longer each time', () => {
    const waitAfter = (item: AttemptResult['items'][number], failures = 0) =>
      settled(sending(['a'], { ...full, state: { failures } }), answered([item])).queue.state.wait;
    expect(waitAfter(forNow('throttled', 3))).toEqual({ until: at(80) + 3_000, reason: 'throttle', named: true });
    expect(waitAfter(forNow('busy'))).toEqual({ until: at(80) + 2_250, reason: 'busy', named: false });
    expect(waitAfter(forNow('busy', 0), 1)).toEqual({ until: at(80) + 22_500, reason: 'busy', named: false });
    expect(waitAfter(forNow('quota_exceeded'))).toEqual({ until: at(80) + HOUR, reason: 'quota', named: false });
  });

  test('continues after a response, and keeps its failures while the service gives none', () => {
    const before = sending(['a'], { ...full, state: { wait: busy, failures: 2 }, requests: [aRequest('w')] });
    expect(settled(before, answered([created()])).queue.state).toMatchObject({ wait: null, failures: 0 });
    expect(settled(before, answered([refused('invalid_url')])).queue.state).toMatchObject({ failures: 0 });
    const { queue } = settled(before, lost());
    expect([queue.state.failures, ...suspectsOf(queue)]).toEqual([2, 'a']);
  });

  test('is not affected by a response to requests that were left to the user meanwhile, except for their links', () => {
    const sent = sending(['a', 'b'], full).requests;
    const left = ['a', 'b'].map((id) => aRequest(id, { state: 'uncertain' }));
    const before = aQueue({ state: { wait: busy, failures: 2 }, requests: left });
    for (const result of [answered([refused('unauthorized'), refused('unauthorized')]), lost(2)]) {
      const { queue } = settled(before, result, sent);
      expect(queue).toEqual({ ...before, state: { ...before.state, lastEndedAt: at(80) } });
    }
    const { queue, links } = settled(before, answered([created(), unclear('no_answer')]), sent);
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(statesOf(queue)).toEqual(['b uncertain']);
  });
});

test('the code of a link is the last part of its short URL', () => {
  expect(codeIn('https://s.example/path/code?x#y')).toBe('code');
  expect(codeIn('https://s.example/')).toBe('');
  expect(codeIn('nonsense')).toBe('');
});
