import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptRequests } from '../../../src/queue/cancel-retry-pause.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import { positionOf, reorder, sortByQueueOrder, waitingRequests } from '../../../src/queue/queue-order.ts';
import { runs } from '../support/runs.ts';
import {
  anOpenAttempt,
  aQueue,
  aRequest,
  at,
  fullService,
  idsOf,
  MINTING,
  NOW,
  SECOND,
  specOnly,
} from './support/queue-builders.ts';

const line = (...ids: string[]) =>
  aQueue({ requests: ids.map((id, n) => aRequest(id, { createdAt: NOW + n / 1000 })) });
const listed = (id: string, ms: number) => aRequest(id, { groupId: 'g', createdAt: NOW + ms });

describe('what goes first', () => {
  test('is what was asked for by itself, before any list and however late, and then lists by their age', () => {
    const requests = [listed('l1', 0), listed('l2', SECOND), aRequest('late', { createdAt: NOW + 60 * SECOND })];
    expect(requests.sort(sortByQueueOrder).map(({ id }) => id)).toEqual(['late', 'l1', 'l2']);
    const queue = aQueue({ connection: { ...specOnly, serviceReadAt: NOW }, requests });
    const step = nextStep(queue, at(60 * SECOND), { online: true, reachedAt: NOW + 60 * SECOND });
    expect(step).toEqual({ kind: 'send', requestIds: ['late'] });
  });

  test('keeps its order in a list of a thousand, accepted in one moment', () => {
    const orders = Array.from({ length: 1_000 }, (_, n) => {
      const { url, title, options } = aRequest(`r${n}`);
      return { id: `r${n}`, groupId: 'g', url, title, options, source: 'popup', private: false } as const;
    });
    const { requests } = acceptRequests(aQueue(), orders, MINTING, at());
    expect(requests.toSorted(sortByQueueOrder)).toEqual(requests);
    expect(new Set(requests.map(positionOf)).size).toBe(1_000);
  });
});

describe('another place in line', () => {
  test.each([
    [['c'], 'a', ['c', 'a', 'b', 'd']],
    [['a'], null, ['b', 'c', 'd', 'a']],
    [['a', 'd'], 'c', ['b', 'a', 'd', 'c']],
    [['b'], 'c', ['a', 'b', 'c', 'd']],
  ] as const)('%j in front of %s', (ids, before, expected) => {
    expect(idsOf(reorder(line('a', 'b', 'c', 'd'), [...ids], before))).toEqual(expected);
  });

  test('changes nothing for what is not in line (any more), or where it is to go in front of itself', () => {
    const queue = line('a', 'b');
    for (const [ids, before] of [
      [['gone'], 'a'],
      [['a'], 'gone'],
      [['a'], 'a'],
      [['a', 'b'], null],
    ] as const)
      expect(reorder(queue, [...ids], before)).toBe(queue);
  });

  test('is given to what has no attempt of its own alone: the others go with theirs', () => {
    const requests = [
      aRequest('open', { state: 'unanswered' }),
      aRequest('a'),
      aRequest('failed', { state: 'failed' }),
    ];
    const queue = aQueue({ connection: fullService(), attempts: [anOpenAttempt(['open'])], requests });
    expect(waitingRequests(queue).map(({ id }) => id)).toEqual(['a']);
    expect(reorder(queue, ['open', 'failed'], 'a')).toBe(queue);
  });

  test('leaves what is accepted later behind what waits by itself', () => {
    const moved = reorder(line('a', 'b'), ['a'], null);
    const { url, title, options } = aRequest('new');
    const order = { id: 'new', groupId: null, url, title, options, source: 'popup', private: false } as const;
    const next = acceptRequests(moved, [order], MINTING, at(SECOND));
    expect(next.requests.toSorted(sortByQueueOrder).map(({ id }) => id)).toEqual(['b', 'a', 'new']);
  });

  test('sets apart what stands at one place', () => {
    const queue = aQueue({ requests: ['a', 'b', 'c'].map((id) => aRequest(id)) });
    const moved = reorder(queue, ['c'], 'b');
    expect(idsOf(moved)).toEqual(['a', 'c', 'b']);
    expect(new Set(moved.requests.map(positionOf)).size).toBe(3);
  });

  test('loses nothing and puts what is moved where it is to be, whatever is moved how often', () => {
    const size = 12;
    const pick = fc.nat({ max: size });
    const moves = fc.array(fc.record({ ids: fc.uniqueArray(pick, { minLength: 1, maxLength: 5 }), before: pick }));
    const groups = fc.array(fc.boolean(), { minLength: size, maxLength: size });
    fc.assert(
      fc.property(groups, moves, (inGroups, steps) => {
        const requests = inGroups.map((isListed, n) => (isListed ? listed(`r${n}`, n) : aRequest(`r${n}`)));
        let queue = aQueue({ requests: requests.toSorted(sortByQueueOrder) });
        for (const { ids, before } of steps) {
          const moved = ids.map((n) => `r${n}`);
          const rest = idsOf(queue).filter((id) => !moved.includes(id));
          const at = rest.indexOf(`r${before}`);
          const expected = [
            ...rest.slice(0, at),
            ...idsOf(queue).filter((id) => moved.includes(id)),
            ...rest.slice(at),
          ];
          const next = reorder(queue, moved, `r${before}`);
          expect(idsOf(next)).toEqual(at < 0 ? idsOf(queue) : expected);
          expect(next.requests.toSorted(sortByQueueOrder)).toEqual(next.requests);
          queue = next;
        }
      }),
      runs(),
    );
  });
});
