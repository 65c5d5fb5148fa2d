import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { hasWorked, interpretResult, wasNotDelivered } from '../../../../src/queue/results/gateway-responses.ts';
import type { Connection } from '../../../../src/queue/types.ts';
import type { RequestResult } from '../../../../src/servers/adapter.ts';
import {
  anAttempt,
  anOpenAttempt,
  answered,
  created,
  fullService,
  NOW,
  notMade,
  refused,
  specOnly,
} from '../support/queue-builders.ts';

const worked: Connection = { ...specOnly, lastSeenWellAt: NOW };
const interpret = (items: RequestResult[], connection = specOnly, refusals = 0) =>
  interpretResult(answered(items, { conclusive: true }), connection, anAttempt(['a'], { refusals }));
const itemOf = (item: RequestResult, connection?: Connection, refusals?: number) =>
  interpret([item], connection, refusals).items[0];
const GATEWAY = { kind: 'not_made', code: 'gateway_refused', message: '' };

describe('a redirect, or a response that does not come from a service', () => {
  const codes = ['not_a_service', 'redirected'] as const;

  test.each(codes)('comes from a gateway if the service worked before: %s', (code) => {
    for (const connection of [worked, fullService()]) {
      expect(itemOf(refused(code), connection)).toEqual(GATEWAY);
      expect(itemOf(notMade(code), connection, 5)).toEqual(GATEWAY);
    }
  });

  test.each(codes)('shows a wrong address if the service never worked: %s', (code) => {
    expect(itemOf(refused(code))).toEqual(refused(code));
    expect(itemOf(notMade(code), specOnly, 0)).toEqual(GATEWAY);
    expect(itemOf(notMade(code), specOnly, 1)).toEqual(GATEWAY);
    expect(itemOf(notMade(code), specOnly, 2)).toEqual({ ...notMade(code), kind: 'refused' });
  });
});

describe('a refused key', () => {
  test('is confirmed by a probe if the service can check keys', () => {
    expect(itemOf(refused('unauthorized'), fullService(FEATURE.key))).toEqual({
      ...refused('unauthorized'),
      kind: 'not_made',
    });
    expect(itemOf(refused('unauthorized'))).toEqual(refused('unauthorized'));
    expect(itemOf(refused('forbidden'), fullService(FEATURE.key))).toEqual(refused('forbidden'));
  });
});

test('the results of a created link and a refused URL stay unchanged', () => {
  const items = [created(), refused('invalid_url')];
  expect(interpret(items, worked)).toMatchObject({ items, conclusive: true });
});

test('a response is not conclusive if a gateway refused every item', () => {
  expect(interpret([refused('redirected'), refused('redirected')], worked).conclusive).toBe(false);
  expect(interpret([refused('redirected'), created()], worked).conclusive).toBe(true);
  expect(interpret([], worked).conclusive).toBe(true);
  const inconclusive = answered([created()], { conclusive: false });
  expect(interpretResult(inconclusive, worked, anAttempt(['a'])).conclusive).toBe(false);
});

test('a service has worked if its document is known, or if it has responded successfully', () => {
  expect([specOnly, worked, fullService()].map(hasWorked)).toEqual([false, true, true]);
});

test('an attempt was not delivered if a gateway refused all its sends, and none is under way', () => {
  expect(wasNotDelivered(anOpenAttempt(['a'], { sends: 2, refusals: 2 }))).toBe(true);
  expect(wasNotDelivered(anOpenAttempt(['a'], { sends: 2, refusals: 1 }))).toBe(false);
  expect(wasNotDelivered(anOpenAttempt(['a'], { sends: 0 }))).toBe(false);
  expect(wasNotDelivered(anAttempt(['a'], { sends: 1, refusals: 1 }))).toBe(false);
});
