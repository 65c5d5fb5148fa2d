import { describe, expect, test } from 'vitest';
import { lineOf, moveBlock, moveMember, rowsOf } from '../../../../src/pages/queue/queue-rows.tsx';
import { reorder } from '../../../../src/queue/queue-order.ts';
import { listRequests } from '../../../../src/queue/status/request-status.ts';
import type { Queue } from '../../../../src/queue/types.ts';
import {
  anAttempt,
  anOpenAttempt,
  aQueue,
  aRequest,
  at,
  fullService,
  idsOf,
  NOW,
} from '../../queue/support/queue-builders.ts';

const single = (id: string, ms: number) => aRequest(id, { createdAt: NOW + ms });
const listed = (id: string, ms: number, groupId = 'g') => aRequest(id, { createdAt: NOW + ms, groupId });
const line = (queue: Queue) => lineOf(queue, listRequests({ queues: [queue], unassigned: [] }, at(), true));
const queue = aQueue({
  requests: [single('a', 0), single('b', 1), listed('l1', 0), listed('l2', 1), listed('m1', 2, 'h')],
});

function moved(before: Queue, move: ReturnType<typeof moveBlock>): string[] {
  if (!move) throw new Error('It cannot go there.');
  return idsOf(reorder(before, move.ids, move.before));
}

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

  test('of a list that another request stands in the middle of is two blocks: what is shown is the order', () => {
    const between = reorder(queue, ['a'], 'l2');
    expect(line(between).blocks.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('moving', () => {
  const { blocks } = line(queue);

  test('a list ahead and back jumps over its neighbour as a whole, and to the front over everything', () => {
    expect(moved(queue, moveBlock(blocks, 2, 'earlier'))).toEqual(['a', 'l1', 'l2', 'b', 'm1']);
    expect(moved(queue, moveBlock(blocks, 2, 'first'))).toEqual(['l1', 'l2', 'a', 'b', 'm1']);
    expect(moved(queue, moveBlock(blocks, 2, 'later'))).toEqual(['a', 'b', 'm1', 'l1', 'l2']);
    expect(moved(queue, moveBlock(blocks, 1, 'later'))).toEqual(['a', 'l1', 'l2', 'b', 'm1']);
  });

  test('within a list stays in it', () => {
    const [, , list] = blocks;
    if (!list) throw new Error('There is a list.');
    expect(moved(queue, moveMember(list, 0, 'm1', 'later'))).toEqual(['a', 'b', 'l2', 'l1', 'm1']);
    expect(moved(queue, moveMember(list, 1, 'm1', 'first'))).toEqual(['a', 'b', 'l2', 'l1', 'm1']);
    expect(moveMember(list, 1, 'm1', 'later')).toBeNull();
  });

  test('ends at the ends', () => {
    expect(moveBlock(blocks, 0, 'earlier')).toBeNull();
    expect(moveBlock(blocks, 0, 'first')).toBeNull();
    expect(moveBlock(blocks, 3, 'later')).toBeNull();
  });
});

test('the rows of a queue are its lists, closed until the person opens them', () => {
  const keys = (open: string[]) => rowsOf(line(queue), new Set(open)).map(({ key }) => key);
  expect(keys([])).toEqual(['a', 'b', 'list-l1', 'list-m1']);
  expect(keys(['g'])).toEqual(['a', 'b', 'list-l1', 'l1', 'l2', 'list-m1']);
});
