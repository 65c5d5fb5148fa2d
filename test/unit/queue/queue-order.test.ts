import { describe, expect, test } from 'vitest';
import { enqueue } from '../../../src/queue/accept-requests.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import { positionOf, sortByQueueOrder } from '../../../src/queue/queue-order.ts';
import { aQueue, aRequest, at, MINTING, NOW, SECOND, specOnly } from './support/queue-builders.ts';

const listed = (id: string, ms: number) => aRequest(id, { groupId: 'g', createdAt: NOW + ms });

describe('the order of sends', () => {
  test('starts with single requests, even recent ones, and continues with lists by age', () => {
    const requests = [listed('l1', 0), listed('l2', SECOND), aRequest('late', { createdAt: NOW + 60 * SECOND })];
    expect(requests.sort(sortByQueueOrder).map(({ id }) => id)).toEqual(['late', 'l1', 'l2']);
    const queue = aQueue({ connection: { ...specOnly, serviceReadAt: NOW }, requests });
    const step = nextStep(queue, at(60 * SECOND), { online: true, reachedAt: NOW + 60 * SECOND });
    expect(step).toEqual({ kind: 'send', requestIds: ['late'] });
  });

  test('is the order of a list of 1,000 URLs that was accepted at once', () => {
    const orders = Array.from({ length: 1_000 }, (_, n) => {
      const { url, title, options } = aRequest(`r${n}`);
      return { id: `r${n}`, groupId: 'g', url, title, options, source: 'popup' } as const;
    });
    const { requests } = enqueue(aQueue(), orders, MINTING, at());
    expect(requests.toSorted(sortByQueueOrder)).toEqual(requests);
    expect(new Set(requests.map(positionOf)).size).toBe(1_000);
  });
});
