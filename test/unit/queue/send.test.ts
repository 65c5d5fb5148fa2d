import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';
import { describe, expect, test } from 'vitest';
import { beginAttempt, repeatAttempt } from '../../../src/queue/send.ts';
import { anAttempt, aRequest, aSnapshot, at, fullService, NOW } from './given.ts';

describe('the attempt of one request', () => {
  const before = aSnapshot({ requests: [aRequest('a'), aRequest('b')] });
  const after = beginAttempt(before, ['a'], at(5));

  test('is its url under its own key', () => {
    expect(after.queue.attempt).toEqual({
      connectionId: 'c',
      idempotencyKey: 'key-a',
      requestIds: ['a'],
      path: '/api/shorten',
      body: '{"url":"https://x.example/a"}',
      firstSentAt: NOW + 5,
      private: false,
      inFlight: true,
    });
  });

  test('charges the budget once and marks that request alone', () => {
    expect(after.budget?.sends).toHaveLength(1);
    expect(after.requests).toEqual([{ ...before.requests[0], state: 'sending', attempts: 1 }, before.requests[1]]);
  });

  test('of a private window is private', () => {
    const requests = [aRequest('p', { private: true })];
    expect(beginAttempt(aSnapshot({ requests }), ['p'], at()).queue.attempt?.private).toBe(true);
  });
});

describe('the attempt of several', () => {
  const after = beginAttempt(
    aSnapshot({ connection: fullService(), requests: [aRequest('a'), aRequest('b')] }),
    ['a', 'b'],
    at(),
  );

  test('is one batch, one charge, and a key that neither request uses by itself', () => {
    expect(after.queue.attempt).toMatchObject({
      path: '/api/v1/urls/batch',
      requestIds: ['a', 'b'],
      body: '{"urls":[{"url":"https://x.example/a"},{"url":"https://x.example/b"}]}',
    });
    expect(['key-a', 'key-b']).not.toContain(after.queue.attempt?.idempotencyKey);
    expect(after.queue.attempt?.idempotencyKey).toMatch(IDEMPOTENCY_KEY_PATTERN);
    expect(after.budget?.sends).toHaveLength(1);
    expect(after.requests.map(({ state }) => state)).toEqual(['sending', 'sending']);
  });
});

describe('an attempt sent again', () => {
  const attempt = anAttempt(['a', 'gone'], { inFlight: false, body: 'these very bytes' });
  const requests = [aRequest('a', { state: 'unknown', attempts: 1 }), aRequest('b')];
  const after = repeatAttempt(aSnapshot({ connection: fullService(), requests, queue: { attempt } }), at(99));

  test('is the same bytes under the same key, and was first sent when it was', () => {
    expect(after.queue.attempt).toEqual({ ...attempt, inFlight: true });
  });

  test('is charged once more, and sends what is left of its requests', () => {
    expect(after.budget?.sends).toHaveLength(1);
    expect(after.requests).toMatchObject([
      { id: 'a', state: 'sending', attempts: 2 },
      { id: 'b', state: 'waiting', attempts: 0 },
    ]);
  });
});

test('what nextAction never asks for is an error, and not a send', () => {
  const one = aSnapshot({ requests: [aRequest('a')] });
  expect(() => beginAttempt(one, ['missing'], at())).toThrow(RangeError);
  expect(() => beginAttempt(one, ['a', 'missing'], at())).toThrow(RangeError);
  expect(() => beginAttempt(one, [], at())).toThrow(RangeError);
  expect(() => beginAttempt({ ...one, connection: null }, ['a'], at())).toThrow(RangeError);
  expect(() => beginAttempt({ ...one, budget: null }, ['a'], at())).toThrow(RangeError);
  expect(() => repeatAttempt(one, at())).toThrow(RangeError);
});
