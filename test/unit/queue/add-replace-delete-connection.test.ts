import { describe, expect, test } from 'vitest';
import { connectionSaved, reconnected } from '../../../src/queue/add-replace-delete-connection.ts';
import type { BlockReason, ProblemCode, Request } from '../../../src/queue/types.ts';
import {
  anOpenAttempt,
  aQueue,
  aRequest,
  fullService,
  NOW,
  SPENT,
  sending,
  sendsNow,
  specOnly,
  statesOf,
  unanswered,
} from './support/queue-builders.ts';

const failedBy = (code: ProblemCode) => ({ state: 'failed' as const, problem: { code, message: '' } });
const failed = [
  aRequest('k', failedBy('unauthorized')),
  aRequest('r', failedBy('redirected')),
  aRequest('i', failedBy('invalid_url')),
];

describe('saving the same address and key again', () => {
  const saved = (queue: Parameters<typeof connectionSaved>[0]) =>
    connectionSaved(queue, { ...specOnly, name: 'N' }, () => 'new');

  test('keeps the queue, and retries requests that failed because of the connection', () => {
    const after = saved(aQueue({ requests: failed }));
    expect(after.connection.name).toBe('N');
    expect(statesOf(after)).toEqual(['k waiting', 'r waiting', 'i failed']);
  });

  test('ends guessed delays, but not delays that the service requested', () => {
    const wait = { until: NOW + 9, reason: 'quota' as const, named: true };
    expect(saved(aQueue({ state: { wait } })).state.wait).toBe(wait);
    expect(saved(aQueue({ state: { wait: { ...wait, named: false } } })).state.wait).toBeNull();
  });

  test.each<[BlockReason, BlockReason | null]>([
    ['unauthorized', null],
    ['redirected', null],
    ['permission', 'permission'],
  ])('leads from the block reason %s to %s', (blocked, left) => {
    expect(saved(aQueue({ state: { blocked } })).state.blocked).toBe(left);
  });

  test('keeps quota and open attempts, because the service is the same', () => {
    const before = unanswered(['a'], { limits: SPENT });
    const after = connectionSaved(before, before.connection, () => 'new');
    expect(after.limits).toBe(before.limits);
    expect(after.attempts).toBe(before.attempts);
  });
});

describe('saving another key or another address', () => {
  const other = { ...fullService(), lastFour: 'wxyz' };
  const elsewhere = { ...other, baseUrl: 'https://b.example' };
  const wait = { until: NOW + 9, reason: 'quota' as const, named: true };

  test('removes blocks and delays, but keeps the pace of sends', () => {
    const state = { blocked: 'unauthorized' as const, wait, failures: 3, probeDue: true, lastEndedAt: NOW };
    const after = reconnected(aQueue({ state: { ...state }, limits: SPENT }), other, () => 'new');
    expect(after.state).toEqual({
      lastEndedAt: NOW,
      blocked: null,
      wait: null,
      failures: 0,
      probeDue: false,
    });
    expect(after.limits.sends).toEqual([]);
    expect(after.connection).toBe(other);
  });

  test('leaves sent requests to the user, including requests in flight', () => {
    expect(statesOf(reconnected(unanswered(['a'], { attempts: [anOpenAttempt(['b'])] }), other, () => 'new'))).toEqual([
      'a uncertain',
    ]);
    const after = reconnected(sending(['a']), other, () => 'new');
    expect(statesOf(after)).toEqual(['a uncertain']);
    expect(after.attempts).toEqual([]);
  });

  test('keeps waiting requests, and retries requests that failed because of the old key', () => {
    const after = reconnected(aQueue({ requests: [aRequest('w'), ...failed] }), other, () => 'new');
    expect(statesOf(after)).toEqual(['w waiting', 'k waiting', 'r waiting', 'i failed']);
  });

  test('keeps a block for missing permission only if the address is unchanged', () => {
    const halted = aQueue({ state: { blocked: 'permission' } });
    expect(reconnected(halted, other, () => 'new').state.blocked).toBe('permission');
    expect(reconnected(halted, elsewhere, () => 'new').state.blocked).toBeNull();
  });

  test('removes the known features if the address changes, until a probe finds new ones', () => {
    const seen = { ...elsewhere, serviceReadAt: NOW, lastSeenWellAt: NOW };
    const after = reconnected(aQueue({ connection: seen }), { ...seen, baseUrl: 'https://d.example' }, () => 'new');
    expect(after.connection).toMatchObject({ service: null, serviceReadAt: null, lastSeenWellAt: null });
    expect(reconnected(aQueue({ connection: seen }), seen, () => 'new').connection).toBe(seen);
  });

  test('resets batch membership and daily limits of requests at another address', () => {
    const sent = aRequest('w', { attempts: 2, sends: sendsNow(3), alone: true });
    expect(reconnected(aQueue({ requests: [sent] }), elsewhere, () => 'new').requests).toMatchObject([
      { attempts: 0, sends: [], alone: false },
    ]);
    expect(reconnected(aQueue({ requests: [sent] }), other, () => 'new').requests).toEqual([sent]);
  });
});

describe('the generated code of a request that moves to another address', () => {
  const moved = (part: Partial<Request>) => {
    const requestBefore = aRequest('a', { generatedCode: 'abc', sends: sendsNow(1), ...part });
    const attempts = part.state === 'sending' ? [anOpenAttempt(['a'])] : [];
    const before = aQueue({ requests: [requestBefore], attempts });
    const { requests } = reconnected(before, { ...before.connection, baseUrl: 'https://b.example' }, () => 'new');
    const [request] = requests;
    return { code: request?.generatedCode, alone: request?.alone, attempts: request?.attempts, sends: request?.sends };
  };
  const reset = { attempts: 0, sends: [] };

  test('is removed if the link cannot exist', () => {
    expect(moved({})).toEqual({ code: undefined, alone: false, ...reset });
    expect(moved({ state: 'failed', attempts: 1 })).toEqual({ code: undefined, alone: false, ...reset });
  });

  test('is kept if the link may exist, because only identical bytes find it', () => {
    expect(moved({ state: 'uncertain' })).toEqual({ code: 'abc', alone: false, ...reset });
    expect(moved({ state: 'sending', attempts: 1 })).toEqual({ code: 'abc', alone: false, ...reset });
    expect(moved({ state: 'waiting', attempts: 1 })).toEqual({ code: 'abc', alone: true, ...reset });
    expect(moved({ alone: true })).toEqual({ code: 'abc', alone: true, ...reset });
    expect(moved({ alone: true, generatedCode: undefined as never })).toMatchObject({ alone: false });
  });
});
