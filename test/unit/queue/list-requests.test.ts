import { describe, expect, test } from 'vitest';
import {
  countRequests,
  isThrottled,
  listRequests,
  type RequestStatus,
  type WaitReason,
} from '../../../src/queue/status.ts';
import type { Queue } from '../../../src/queue/types.ts';
import { aQueue, aRequest, at, specOnly } from './support/queue-builders.ts';

const other = { ...specOnly, id: 'other' };
const list = (queues: Queue[]) => listRequests({ queues }, at(), true);
const reasonOf = ({ status }: { status: RequestStatus }) => ('reason' in status ? status.reason : status.kind);

describe('the list of all requests', () => {
  test('contains the requests of each connection in turn', () => {
    const queues = [aQueue({ requests: [aRequest('a')] }), aQueue({ connection: other, requests: [aRequest('b')] })];
    const listed = list(queues).map(({ request, connection }) => [request.id, connection]);
    expect(listed).toEqual([
      ['a', specOnly],
      ['b', other],
    ]);
  });

  test('shows the next request of each connection, but none while another request is being sent', () => {
    const requests = [aRequest('f', { state: 'failed' }), aRequest('a'), aRequest('b')];
    const queues = [aQueue({ requests }), aQueue({ connection: other, requests: [aRequest('c')] })];
    expect(list(queues).map(reasonOf)).toEqual(['failed', 'throttle', 'queued', 'throttle']);
    const sending = aQueue({ requests: [aRequest('a', { state: 'sending' }), aRequest('b')] });
    expect(list([sending]).map(reasonOf)).toEqual(['sending', 'queued']);
  });
});

test('unfinished requests and requests that need the user are counted', () => {
  const queue = aQueue({ requests: [aRequest('a'), aRequest('b', { state: 'failed' })] });
  const halted = aQueue({ requests: [aRequest('c'), aRequest('d')], state: { blocked: 'unauthorized' } });
  expect(countRequests({ queues: [queue] })).toEqual({ all: 2, needUser: 1 });
  expect(countRequests({ queues: [queue, halted] })).toEqual({ all: 4, needUser: 3 });
  expect(countRequests({ queues: [] })).toEqual({ all: 0, needUser: 0 });
});

test.each<[WaitReason, boolean]>([
  ['queued', true],
  ['throttle', true],
  ['quota', true],
  ['delayed', true],
  ['offline', false],
  ['paused', false],
  ['unauthorized', false],
])('a request that waits because of "%s" waits only for its turn: %s', (reason, isOnlyThrottled) => {
  expect(isThrottled({ kind: 'waiting', reason, at: null })).toBe(isOnlyThrottled);
  expect(isThrottled({ kind: 'sending' })).toBe(true);
});
