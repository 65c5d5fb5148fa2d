import { expect, test } from 'vitest';
import { connectionStatus } from '../../../src/queue/status.ts';
import type { QueueState } from '../../../src/queue/types.ts';
import { aQueue, NOW, specOnly } from './support/queue-builders.ts';

const statusOf = (state: Partial<QueueState>, lastSeenWellAt: number | null = NOW) =>
  connectionStatus(aQueue({ state, connection: { ...specOnly, lastSeenWellAt } }));

test('a connection is `saved` until the service responds successfully, and `connected` from then on', () => {
  expect(statusOf({}, null)).toBe('saved');
  expect(statusOf({})).toBe('connected');
});

test('reading a list counts as a response', () => {
  const read = { ...specOnly, listRead: { at: NOW, unreadable: 0, isCut: false } };
  expect(connectionStatus(aQueue({ connection: read }))).toBe('connected');
});

test('a connection shows its current problem, even if the service worked before', () => {
  expect(statusOf({ blocked: 'unauthorized' })).toBe('key_refused');
  expect(statusOf({ blocked: 'permission' })).toBe('access_missing');
  expect(statusOf({ blocked: 'not_a_service' })).toBe('not_a_service');
  expect(statusOf({ blocked: 'redirected' })).toBe('redirected');
  expect(statusOf({ wait: { until: 0, reason: 'unreachable', named: false } })).toBe('not_reachable');
});

test('a service that requests a delay is reachable', () => {
  for (const reason of ['throttle', 'quota', 'busy'] as const) {
    expect(statusOf({ wait: { until: NOW + 9, reason, named: true } })).toBe('connected');
  }
});
