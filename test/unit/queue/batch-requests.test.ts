import { expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';
import { pendingRequests, selectBatch, sortByQueueOrder } from '../../../src/queue/next-step.ts';
import { newLinkOf } from '../../../src/queue/sending.ts';
import type { Request } from '../../../src/queue/types.ts';
import { aRequest, fullService, NOW } from './support/queue-builders.ts';

const select = (due: Request[]) => selectBatch(due, fullService()).map(({ id }) => id);

test('single requests come before lists, and delayed requests after those that were submitted before their time', () => {
  const requests = [
    aRequest('listed', { listId: 'g', createdAt: NOW }),
    aRequest('delayed', { createdAt: NOW, retryAt: NOW + 20 }),
    aRequest('first', { createdAt: NOW + 1 }),
    aRequest('later', { createdAt: NOW + 30 }),
    aRequest('failed', { state: 'failed' }),
  ];
  expect(pendingRequests(requests).map(({ id }) => id)).toEqual(['first', 'delayed', 'later', 'listed']);
  const stored = requests.toSorted(sortByQueueOrder).map(({ id }) => id);
  expect(stored).toEqual(['delayed', 'failed', 'first', 'later', 'listed']);
});

test('a batch has at most 48 KiB, counted in bytes of UTF-8 with the commas between its items', () => {
  const withTitle = (id: string, title: string) => aRequest(id, { options: { ...NO_OPTIONS, title } });
  const bytesOf = (request: Request) => Buffer.byteLength(JSON.stringify(newLinkOf(request, fullService()))) + 1;
  const first = withTitle('a', 'é'.repeat(10_000));
  const left = 48 * 1024 - bytesOf(first) - bytesOf(withTitle('b', 'x')) + 1;
  expect(select([first, withTitle('b', 'x'.repeat(left)), aRequest('c')])).toEqual(['a', 'b']);
  expect(select([first, withTitle('b', 'x'.repeat(left + 1))])).toEqual(['a']);
});
