import { expect, test } from 'vitest';
import { rowsOf } from '../../../../src/pages/queue/queue-model.ts';
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
const keys = (queue: Queue) => {
  const requests = listRequests({ queues: [queue] }, at(), true);
  return rowsOf(queue.attempts, requests).map(({ key }) => key);
};
const queue = aQueue({
  requests: [single('a', 0), single('b', 1), listed('l1', 0), listed('l2', 1), listed('m1', 2, 'h')],
});

test('the rows are single requests and lists in the order of sending', () => {
  expect(keys(queue)).toEqual(['a', 'b', 'list-l1', 'list-m1']);
});

test('requests that need the user come first, then those that were sent before', () => {
  const requests = [
    ...queue.requests,
    aRequest('open', { state: 'unknown' }),
    aRequest('goes', { state: 'sending' }),
    aRequest('failed', { state: 'failed', groupId: 'g' }),
    aRequest('uncertain', { state: 'uncertain' }),
  ];
  const attempts = [anOpenAttempt(['open']), anAttempt(['goes'])];
  expect(keys(aQueue({ connection: fullService(), attempts, requests }))).toEqual([
    'failed',
    'uncertain',
    'open',
    'goes',
    'a',
    'b',
    'list-l1',
    'list-m1',
  ]);
});
