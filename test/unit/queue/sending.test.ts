import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { codeFor, generatedCode, postOf, promisedShortUrl, recover, startSend } from '../../../src/queue/sending.ts';
import type { Connection, Request, ServiceInfo } from '../../../src/queue/types.ts';
import {
  aQueue,
  aRequest,
  at,
  DAY,
  fullService,
  HOUR,
  NOW,
  SECOND,
  sentRequest,
  specOnly,
  takesCodes,
} from './support/queue-builders.ts';

function started(request: Request, connection: Connection = fullService()): Request | undefined {
  return startSend(aQueue({ connection, requests: [request] }), [request.id], at(5)).requests[0];
}

describe('starting to send', () => {
  test('counts against the quota and the pace, and changes no other request', () => {
    const before = aQueue({ connection: fullService(), requests: [aRequest('a'), aRequest('b')] });
    const after = startSend(before, ['a'], at(5));
    expect(after.limits.sends).toEqual([at(5)]);
    expect(after.state.lastEndedAt).toBe(at(5));
    expect(after.requests).toMatchObject([{ state: 'sending', attempts: 1, retryAt: null }, { state: 'waiting' }]);
    expect(after.requests[1]).toBe(before.requests[1]);
  });

  test('fixes the content of a request, with every option and the code of the user', () => {
    const options = { shortCode: 'mine', title: 'Title', expiresAt: '2027-01-01T00:00:00Z', tags: ['birds'] };
    const connection = { ...takesCodes(), domain: 's.example' };
    const request = started(aRequest('a', { options }), connection);
    const item = { url: 'https://x.example/a', domain: 's.example', ...options };
    expect(request?.sent).toEqual({ path: '/api/v1/urls', item, firstAt: at(5), lastAt: at(5) });
  });

  test('generates a code if the service accepts one, and starts a default lifetime', () => {
    expect(started(aRequest('a'), takesCodes())?.sent?.item.shortCode).toMatch(/^[a-h]{3}$/);
    expect(started(aRequest('a'), fullService())?.sent?.item.shortCode).toBeUndefined();
    const expiresAt = new Date(at(5) + DAY).toISOString();
    expect(started(aRequest('a', { defaultExpiry: 'day' }), takesCodes())?.sent?.item).toMatchObject({ expiresAt });
  });

  test('uses the path without options only for a plain URL at a service without batches', () => {
    const pathAt = (connection: Connection, part: Partial<Request> = {}) =>
      started(aRequest('a', part), connection)?.sent?.path;
    expect(pathAt(specOnly)).toBe('/api/shorten');
    expect(pathAt(specOnly, { options: { ...NO_OPTIONS, title: 'T' } })).toBe('/api/v1/urls');
    expect(pathAt(fullService())).toBe('/api/v1/urls');
  });

  test('again changes nothing that the service compares, but the lifetime of an unused key starts again', () => {
    const changed = { ...takesCodes(), domain: 'other.example' };
    const again = (mayExist: boolean) => started(sentRequest('a', { mayExist }), changed)?.sent;
    expect(again(true)).toEqual({ ...sentRequest('a').sent, lastAt: at(5) });
    expect(again(false)).toEqual({ ...sentRequest('a').sent, firstAt: at(5), lastAt: at(5) });
    expect(started(sentRequest('a', { lookUpDue: true, retryAt: NOW }))).toMatchObject({ lookUpDue: false });
  });
});

describe('the POST', () => {
  test('of one request has its own key and path', () => {
    const post = postOf([sentRequest('a')], specOnly, 'batch');
    expect(post).toMatchObject({ path: '/api/v1/urls', idempotencyKey: 'key-a', requestIds: ['a'] });
    expect(post.body).toBe('{"url":"https://x.example/a"}');
  });

  test('of several requests is a batch, in which each request keeps its key', () => {
    const post = postOf([sentRequest('a'), sentRequest('b')], fullService(), 'batch');
    expect(post).toMatchObject({ path: '/api/v1/urls/batch', idempotencyKey: 'batch', requestIds: ['a', 'b'] });
    expect(JSON.parse(post.body)).toEqual({ urls: post.links });
    expect(post.links.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['key-a', 'key-b']);
  });
});

describe('a queue whose worker died', () => {
  const recovered = (connection: Connection, part: Partial<Request> = {}, code?: string) => {
    const request = sentRequest('a', { state: 'sending', mayExist: false, ...part }, code);
    return recover(aQueue({ connection, requests: [request] }), at(9)).requests[0];
  };

  test('repeats the request if that is safe, and otherwise leaves it to the user', () => {
    const problem = { code: 'interrupted', message: '' };
    expect(recovered(fullService())).toMatchObject({
      state: 'unknown',
      mayExist: true,
      retryAt: at(9) + 3_000,
      problem,
    });
    expect(recovered(specOnly)).toMatchObject({ state: 'uncertain', problem });
    expect(recovered(fullService(), { attempts: 6 })).toMatchObject({ state: 'uncertain' });
  });

  test('first looks for the link of a request that was sent alone', () => {
    expect(recovered(takesCodes(), {}, 'abc')).toMatchObject({ lookUpDue: true, retryAt: null });
    const kutt: Connection = { ...specOnly, kind: 'kutt' };
    expect(recovered(kutt, {}, 'abc')).toMatchObject({ lookUpDue: true, retryAt: NOW + 15 * SECOND });
    expect(recovered(kutt)).toMatchObject({ state: 'uncertain' });
    const connection = takesCodes(FEATURE.batch, FEATURE.itemIdempotency);
    const batch = ['a', 'b'].map((id) => sentRequest(id, { state: 'sending' }, id));
    const { requests } = recover(aQueue({ connection, requests: [...batch, aRequest('w')] }), at(9));
    expect(requests).toMatchObject([{ lookUpDue: false }, { lookUpDue: false }, aRequest('w')]);
  });

  test('keeps the pace after a send that may still be running', () => {
    const lastEndedAfter = (lastEndedAt: number | null, requests: Request[] = []) =>
      recover(aQueue({ state: { lastEndedAt }, requests }), at()).state.lastEndedAt;
    expect(lastEndedAfter(NOW - HOUR, [sentRequest('a', { state: 'sending' })])).toBe(NOW);
    expect(lastEndedAfter(NOW - 19 * SECOND)).toBe(NOW);
    expect(lastEndedAfter(NOW - 20 * SECOND)).toBe(NOW - 20 * SECOND);
    const calm = aQueue({ requests: [aRequest('w'), sentRequest('u')] });
    expect(recover(calm, at())).toBe(calm);
  });
});

test('short codes that are derived from random keys contain all symbols equally often', () => {
  const codes = { alphabet: '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnopqrstuvwxyz', length: 7 };
  const count = 8_000;
  const drawn = Array.from({ length: count }, () => codeFor(crypto.randomUUID(), codes));
  expect(new Set(drawn).size).toBe(count);
  const expected = (count * codes.length) / codes.alphabet.length;
  for (const symbol of codes.alphabet) {
    const found = drawn.join('').split(symbol).length - 1;
    // More than seven standard deviations, which does not happen by chance.
    expect(Math.abs(found - expected)).toBeLessThan(7 * Math.sqrt(expected));
  }
  expect(codeFor('a key', codes)).toBe(codeFor('a key', codes));
});

describe('the short URL of a waiting request', () => {
  const connectionWith = (part: Partial<ServiceInfo>): Connection => {
    const connection = takesCodes();
    return { ...connection, service: { ...(connection.service as ServiceInfo), ...part } };
  };
  const request = aRequest('a');
  const code = generatedCode(request, takesCodes());

  test.each([
    ['https://t.example', 'https://t.example'],
    ['https://t.example/s/', 'https://t.example/s'],
    ['https://t.example/\u202e?a#b', 'https://t.example/%E2%80%AE'],
  ])('is built from the base address %s', (shortBaseUrl, base) => {
    expect(promisedShortUrl(request, connectionWith({ shortBaseUrl }))).toBe(`${base}/${code}`);
  });

  test('is on the domain that the user chose, if the service publishes it', () => {
    const domains = [{ name: 'go.example', shortBaseUrl: 'http://go.example' }];
    const on = (domain: string) => promisedShortUrl(request, { ...connectionWith({ domains }), domain });
    expect([on('go.example'), on('gone.example')]).toEqual([`http://go.example/${code}`, null]);
  });

  test('stays the same after the first send, even if the service then wants other codes', () => {
    const sent = sentRequest('a', {}, 'abc');
    expect(promisedShortUrl(sent, takesCodes())).toBe('https://s.example/abc');
    expect(promisedShortUrl(sentRequest('a'), takesCodes())).toBeNull();
  });

  test('is unknown if the user or the server chooses the code, or if the request needs the user', () => {
    expect(promisedShortUrl(request, specOnly)).toBeNull();
    expect(promisedShortUrl(aRequest('a', { options: { ...NO_OPTIONS, shortCode: 'mine' } }), takesCodes())).toBeNull();
    expect(promisedShortUrl(aRequest('a', { state: 'failed' }), takesCodes())).toBeNull();
  });
});
