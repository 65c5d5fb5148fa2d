import { describe, expect, test } from 'vitest';
import { connectionStatus } from '../../../src/queue/status.ts';
import type { BlockReason, Connection, QueueState } from '../../../src/queue/types.ts';
import { connectionSaved, reconnected } from '../../../src/queue/user-actions.ts';
import {
  aQueue,
  aRequest,
  fullService,
  NOW,
  SPENT,
  sending,
  sentRequest,
  specOnly,
  statesOf,
} from './support/queue-builders.ts';

describe('saving the same address and key again', () => {
  const saved = (queue: Parameters<typeof connectionSaved>[0]) => connectionSaved(queue, { ...specOnly, name: 'N' });

  test('ends guessed delays, but not delays that the service requested', () => {
    const wait = { until: NOW + 9, reason: 'quota' as const, named: true };
    expect(saved(aQueue({ state: { wait } })).state.wait).toBe(wait);
    expect(saved(aQueue({ state: { wait: { ...wait, named: false } } })).state.wait).toBeNull();
  });

  test.each<[BlockReason, BlockReason | null]>([
    ['unauthorized', null],
    ['redirected', null],
    ['key_missing', null],
    ['permission', 'permission'],
  ])('leads from the block reason %s to %s', (blocked, left) => {
    expect(saved(aQueue({ state: { blocked } })).state.blocked).toBe(left);
  });

  test('keeps quota and requests, because the service is the same', () => {
    const before = aQueue({ connection: fullService(), requests: [sentRequest('a')], limits: SPENT });
    const after = connectionSaved(before, { ...before.connection, name: 'N' });
    expect(after.connection.name).toBe('N');
    expect([after.limits, after.requests]).toEqual([before.limits, before.requests]);
  });
});

describe('saving another key or another address', () => {
  const other = { ...fullService(), lastFour: 'wxyz' };
  const elsewhere = { ...other, baseUrl: 'https://b.example' };
  const wait = { until: NOW + 9, reason: 'quota' as const, named: true };

  test('removes blocks and delays, but keeps the pace of sends', () => {
    const state = { blocked: 'unauthorized' as const, wait, failures: 3, lastEndedAt: NOW };
    const after = reconnected(aQueue({ state: { ...state }, limits: SPENT }), other);
    expect(after.state).toEqual({ lastEndedAt: NOW, blocked: null, wait: null, failures: 0 });
    expect(after.limits.sends).toEqual([]);
    expect(after.connection).toEqual({ ...other, revision: 1 });
  });

  test('leaves requests whose links may exist to the user, including those being sent', () => {
    const timeout = { code: 'timeout', message: '' } as const;
    const left = sentRequest('u', { state: 'uncertain', mayExist: false, problem: timeout });
    const failed = sentRequest('f', { state: 'failed', problem: timeout });
    const requests = [sentRequest('a'), left, aRequest('w'), failed];
    const after = reconnected(sending(['s'], { connection: fullService(), requests }), other);
    expect(statesOf(after)).toEqual(['s uncertain', 'a uncertain', 'u uncertain', 'w waiting', 'f failed']);
    expect(after.requests.map(({ problem }) => problem?.code)).toEqual([
      'interrupted',
      'interrupted',
      'timeout',
      undefined,
      'timeout',
    ]);
  });

  test('keeps the content of a request whose link may exist, unless the new server or its kind is different', () => {
    const sentTo = (connection: Connection) =>
      reconnected(aQueue({ connection: fullService(), requests: [sentRequest('a')] }), connection).requests[0]?.sent;
    expect(sentTo(other)).toEqual(sentRequest('a').sent);
    expect([sentTo(elsewhere), sentTo({ ...other, kind: 'kutt' })]).toEqual([undefined, undefined]);
  });

  test('keeps a block for missing permission only if the address is unchanged', () => {
    const halted = aQueue({ state: { blocked: 'permission' } });
    expect(reconnected(halted, other).state.blocked).toBe('permission');
    expect(reconnected(halted, elsewhere).state.blocked).toBeNull();
  });

  test('removes the known features if the address changes, until a probe finds new ones', () => {
    const seen = { ...elsewhere, serviceReadAt: NOW, lastSeenWellAt: NOW };
    const after = reconnected(aQueue({ connection: seen }), { ...seen, baseUrl: 'https://d.example' });
    expect(after.connection).toMatchObject({ service: null, serviceReadAt: null, lastSeenWellAt: null });
    const again = aQueue({ connection: { ...seen, revision: 1 } });
    expect(reconnected(again, seen).connection).toEqual({ ...seen, revision: 2 });
  });

  test('sends waiting requests as if they were new, even if a gateway refused them before', () => {
    const turnedAway = { state: 'waiting', mayExist: false, attempts: 2, retryAt: NOW + 9, maxBatch: 1 } as const;
    const [request] = reconnected(aQueue({ requests: [sentRequest('w', turnedAway)] }), other).requests;
    expect(request).toMatchObject({ attempts: 0, retryAt: null, maxBatch: 50 });
    expect(request?.sent).toBeUndefined();
  });
});

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
