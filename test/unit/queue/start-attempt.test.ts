import { FEATURE, IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/add-replace-delete-connection.ts';
import { markUncertain, retry } from '../../../src/queue/cancel-retry-pause.ts';
import { resendAttempt, splitAttempt, startAttempt } from '../../../src/queue/start-attempt.ts';
import type { Attempt, Connection, LinkOptions } from '../../../src/queue/types.ts';
import {
  anOpenAttempt,
  aQueue,
  aRequest,
  at,
  fullService,
  keyed,
  NOW,
  takesCodes,
  unanswered,
} from './support/queue-builders.ts';

describe('an attempt for one request', () => {
  const before = aQueue({ requests: [aRequest('a'), aRequest('b')] });
  const after = startAttempt(before, ['a'], 'first', at(5));

  test('contains its URL and its idempotency key', () => {
    expect(after.attempts).toEqual([
      {
        id: 'first',
        connectionId: 'c',
        idempotencyKey: 'key-a',
        requestIds: ['a'],
        path: '/api/shorten',
        body: '{"url":"https://x.example/a"}',
        firstSentAt: NOW + 5,
        inFlight: true,
        sends: 1,
        suspect: false,
        lookUpDue: true,
        parks: 0,
        parkedUntil: null,
      },
    ]);
  });

  test("charges the quota and the request's daily limit once, and marks only that request", () => {
    const charge = NOW + 5;
    expect(after.limits.sends).toEqual([charge]);
    expect(after.requests).toEqual([
      { ...before.requests[0], state: 'sending', attempts: 1, sends: [charge], domain: null },
      before.requests[1],
    ]);
  });

  test('counts for the pace from its start, in case its end is never recorded', () => {
    expect(after.state.lastEndedAt).toBe(NOW + 5);
  });

  test('uses the versioned endpoint if options are chosen, and contains only those options', () => {
    const sent = (options: Partial<LinkOptions>) =>
      startAttempt(
        aQueue({ requests: [aRequest('a', { options: { ...NO_OPTIONS, ...options } })] }),
        ['a'],
        'first',
        at(),
      ).attempts[0];
    expect(sent({ shortCode: 'mine', expiresAt: '2027-01-01T00:00:00Z' })).toMatchObject({
      path: '/api/v1/urls',
      body: '{"url":"https://x.example/a","shortCode":"mine","expiresAt":"2027-01-01T00:00:00Z"}',
    });
    expect(sent({ title: 'T' })).toMatchObject({ body: '{"url":"https://x.example/a","title":"T"}' });
    expect(sent({ tags: ['birds'] })).toMatchObject({
      path: '/api/v1/urls',
      body: '{"url":"https://x.example/a","tags":["birds"]}',
    });
    expect(sent({ title: '' })).toMatchObject({ path: '/api/shorten', body: '{"url":"https://x.example/a"}' });
  });

  test('leaves other open attempts unchanged', () => {
    const open = unanswered(['z'], { requests: [aRequest('a')] });
    const both = startAttempt(open, ['a'], 'second', at()).attempts;
    expect(both[0]).toBe(open.attempts[0]);
    expect(both[1]).toMatchObject({ id: 'second', inFlight: true });
  });
});

describe('an attempt for a request with a generated code', () => {
  const generatedCode = 'abcdefg';
  const begin = (connection: Connection, ids: string[]) =>
    startAttempt(
      aQueue({ connection, requests: ids.map((id) => aRequest(id, { generatedCode })) }),
      ids,
      'first',
      at(),
    );

  test('contains that code, alone and in a batch', () => {
    const alone = begin(takesCodes(), ['a']).attempts[0];
    expect(alone).toMatchObject({ path: '/api/v1/urls', idempotencyKey: 'key-a' });
    expect(JSON.parse(alone?.body ?? '')).toEqual({ url: 'https://x.example/a', shortCode: 'abcdefg' });
    const batch = begin(takesCodes(FEATURE.batch, FEATURE.itemIdempotency), ['a', 'b']).attempts[0];
    const { urls } = JSON.parse(batch?.body ?? '');
    expect(urls).toMatchObject([{ shortCode: 'abcdefg', idempotencyKey: 'key-a' }, { shortCode: 'abcdefg' }]);
  });

  test('omits the code if the service no longer accepts codes', () => {
    const { attempts, requests } = begin(fullService(FEATURE.idempotency), ['a']);
    expect(attempts[0]).toMatchObject({ path: '/api/shorten', body: '{"url":"https://x.example/a"}' });
    expect(requests[0]).not.toHaveProperty('generatedCode');
  });
});

describe('an attempt for several requests', () => {
  const requests = [aRequest('a'), aRequest('b', { options: { ...NO_OPTIONS, title: 'T', tags: ['birds'] } })];
  const after = startAttempt(aQueue({ connection: fullService(), requests }), ['a', 'b'], 'first', at());

  test('is one batch with one charge, and a separate idempotency key', () => {
    expect(after.attempts).toMatchObject([
      {
        path: '/api/v1/urls/batch',
        requestIds: ['a', 'b'],
        body: '{"urls":[{"url":"https://x.example/a","idempotencyKey":"key-a"},{"url":"https://x.example/b","title":"T","tags":["birds"],"idempotencyKey":"key-b"}]}',
      },
    ]);
    expect(['key-a', 'key-b']).not.toContain(after.attempts[0]?.idempotencyKey);
    expect(after.attempts[0]?.idempotencyKey).toMatch(IDEMPOTENCY_KEY_PATTERN);
    expect(after.limits.sends).toHaveLength(1);
    expect(after.requests.map(({ state, sends }) => [state, sends.length])).toEqual([
      ['sending', 1],
      ['sending', 1],
    ]);
  });
});

describe('a batch that failed because of one of its requests', () => {
  const many = Array.from({ length: 50 }, (_, n) => aRequest(`r${n}`));
  const batch = (sends: number) =>
    anOpenAttempt(
      many.map(({ id }) => id),
      { id: 'batch', sends, suspect: true, parks: 0 },
    );
  const sizes = (sends: number, count: number) =>
    splitAttempt(batch(sends), many.slice(0, count), fullService()).map(({ requestIds }) => requestIds.length);

  test('is split into parts of about the square root of its size, and then into single requests', () => {
    expect(sizes(1, 50)).toEqual([8, 8, 8, 8, 8, 8, 2]);
    expect(sizes(2, 8)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(sizes(1, 3)).toEqual([1, 1, 1]);
  });

  test('keeps all its requests except canceled ones', () => {
    const parts = splitAttempt(batch(1), many, fullService());
    expect(parts.flatMap(({ requestIds }) => requestIds)).toEqual(many.map(({ id }) => id));
    expect(splitAttempt(batch(1), many.slice(0, 1), fullService()).flatMap(({ requestIds }) => requestIds)).toEqual([
      'r0',
    ]);
  });

  test('gives each part a new key, and keeps the keys of its requests and the age of the batch', () => {
    const [first, , , , , , last] = splitAttempt(batch(1), many.slice(0, 43), fullService());
    expect(first).toMatchObject({ id: 'batch.1', idempotencyKey: 'batch.1', sends: 1, suspect: false });
    expect(first?.body).toContain('"idempotencyKey":"key-r0"');
    expect(last).toMatchObject({
      idempotencyKey: 'key-r42',
      path: '/api/v1/urls',
      body: '{"url":"https://x.example/r42"}',
      firstSentAt: batch(1).firstSentAt,
    });
  });
});

describe('a repeated attempt', () => {
  const before = unanswered(['a'], {
    attempt: { requestIds: ['a', 'gone'], body: 'these very bytes', parkedUntil: NOW - 1, suspect: true },
    requests: [aRequest('b')],
  });
  const attempt = before.attempts[0];
  const after = resendAttempt(before, attempt?.id ?? '', at(99));

  test('has the same bytes, key and first send, and is no longer delayed', () => {
    expect(after.attempts).toEqual([
      { ...attempt, inFlight: true, sends: 2, parkedUntil: null, suspect: false, lookUpDue: true },
    ]);
  });

  test('is charged again, and contains its remaining requests', () => {
    expect(after.limits.sends).toHaveLength(1);
    expect(after.requests).toMatchObject([
      { id: 'a', state: 'sending', attempts: 2, sends: [NOW + 99] },
      { id: 'b', state: 'waiting', attempts: 0, sends: [] },
    ]);
  });
});

test('an invalid step is an error and sends nothing', () => {
  const one = aQueue({ requests: [aRequest('a')] });
  expect(() => startAttempt(one, ['missing'], 'first', at())).toThrow(RangeError);
  expect(() => startAttempt(one, ['a', 'missing'], 'first', at())).toThrow(RangeError);
  expect(() => startAttempt(one, [], 'first', at())).toThrow(RangeError);
  expect(() => resendAttempt(one, 'missing', at())).toThrow(RangeError);
});

describe('the domain that the user chose for a connection', () => {
  const connection = { ...fullService(), domain: 'go.example' };
  const bodyOf = (requests: Parameters<typeof aRequest>[], ids: string[], chosen: Connection = connection) => {
    const queue = aQueue({ connection: chosen, requests: requests.map((request) => aRequest(...request)) });
    return startAttempt(queue, ids, 'first', at(0));
  };

  test('is sent with each link, in a batch, and to a service without a document', () => {
    expect(JSON.parse(bodyOf([['a']], ['a']).attempts[0]?.body ?? '')).toMatchObject({ domain: 'go.example' });
    const batch = JSON.parse(bodyOf([['a'], ['b']], ['a', 'b']).attempts[0]?.body ?? '') as { urls: object[] };
    expect(batch.urls).toMatchObject([{ domain: 'go.example' }, { domain: 'go.example' }]);
    expect(bodyOf([['a']], ['a'], { ...connection, service: null }).attempts[0]?.path).toBe('/api/v1/urls');
  });

  test('stays the same for later sends of a request, because its idempotency key belongs to the same bytes', () => {
    const { requests, attempts } = bodyOf([['a'], ['b']], ['a', 'b']);
    const [part] = splitAttempt({ ...(attempts[0] as Attempt), sends: 2 }, requests, {
      ...connection,
      domain: 'x.example',
    });
    expect(JSON.parse(part?.body ?? '')).toMatchObject({ domain: 'go.example' });
  });

  test('stays the same if the user sends an uncertain request again, until it has another key', () => {
    const started = bodyOf([['a']], ['a']);
    const other = { ...fullService(), domain: 'other.example' };
    const uncertain = markUncertain({ ...started, connection: other }, ['first']);
    expect(uncertain.requests).toMatchObject([{ state: 'uncertain', domain: 'go.example' }]);
    const again = startAttempt(retry(uncertain, 'a', keyed('new-key')), ['a'], 'second', at(0));
    expect(JSON.parse(again.attempts[0]?.body ?? '')).toMatchObject({ domain: 'go.example' });
    const failed = { ...uncertain, requests: uncertain.requests.map((one) => ({ ...one, state: 'failed' as const })) };
    const asNew = startAttempt(retry(failed, 'a', keyed('new-key')), ['a'], 'third', at(0));
    expect(JSON.parse(asNew.attempts[0]?.body ?? '')).toMatchObject({ domain: 'other.example' });
  });
});
