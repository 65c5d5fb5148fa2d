import { describe, expect, test } from 'vitest';
import { lineOf, rowsOf } from '../../../../src/pages/queue/queue-rows.tsx';
import { listRequests } from '../../../../src/queue/status/request-status.ts';
import type { Queue } from '../../../../src/queue/types.ts';
import {
  anAttempt,
  anOpenAttempt,
  aQueue,
  aRequest,
  at,
  fullService,
  NOW,
} from '../../queue/support/queue-builders.ts';

const single = (id: string, ms: number) => aRequest(id, { createdAt: NOW + ms });
const listed = (id: string, ms: number, groupId = 'g') => aRequest(id, { createdAt: NOW + ms, groupId });
const line = (queue: Queue) => lineOf(queue, listRequests({ queues: [queue], unassigned: [] }, at(), true));
const queue = aQueue({
  requests: [single('a', 0), single('b', 1), listed('l1', 0), listed('l2', 1), listed('m1', 2, 'h')],
});

describe('what waits', () => {
  test('is what was asked for by itself and lists, in line; what needs the person or has an attempt stands before', () => {
    const requests = [
      aRequest('failed', { state: 'failed' }),
      aRequest('open', { state: 'unanswered' }),
      aRequest('goes', { state: 'sending' }),
      ...queue.requests,
    ];
    const attempts = [anOpenAttempt(['open']), anAttempt(['goes'])];
    const { stuck, open, blocks } = line(aQueue({ connection: fullService(), attempts, requests }));
    expect(stuck.map(({ request }) => request.id)).toEqual(['failed']);
    expect(open.map(({ request }) => request.id)).toEqual(['open', 'goes']);
    expect(blocks.map(({ requests }) => requests.map(({ request }) => request.id))).toEqual([
      ['a'],
      ['b'],
      ['l1', 'l2'],
      ['m1'],
    ]);
  });
});

test('the rows of a queue are its lists, closed until the person opens them', () => {
  const keys = (open: string[]) => rowsOf(line(queue), new Set(open)).map(({ key }) => key);
  expect(keys([])).toEqual(['a', 'b', 'list-l1', 'list-m1']);
  expect(keys(['g'])).toEqual(['a', 'b', 'list-l1', 'l1', 'l2', 'list-m1']);
});
