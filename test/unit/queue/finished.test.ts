import { describe, expect, test } from 'vitest';
import { finishedBetween } from '../../../src/queue/result.ts';
import { aLink } from '../storage/stored.ts';
import { aQueue, aRequest, at, NOW, type Parts, SECOND } from './support/queue-builders.ts';

const failed = (id: string) => aRequest(id, { state: 'failed' });
const inGroup = (id: string, part: object = {}) => aRequest(id, { listId: 'list', ...part });
const between = (before: Parts, after: Parts) => finishedBetween(aQueue(before), aQueue(after), [], at());
const idsOf = (requests: { id: string }[] | undefined) => requests?.map(({ id }) => id);

describe('a change of a queue', () => {
  test('is not reported if nothing has finished', () => {
    const queue = aQueue({ requests: [failed('a')] });
    expect(finishedBetween(queue, queue, [], at())).toBeNull();
    expect(between({ requests: [aRequest('a')] }, { requests: [aRequest('a', { state: 'sending' })] })).toBeNull();
  });

  test('reports new links, even if the queue is unchanged', () => {
    const queue = aQueue();
    expect(finishedBetween(queue, queue, [aLink('a')], at())).toMatchObject({ links: [{ link: { id: 'a' } }] });
  });

  test('reports a link with the source and wait of its request', () => {
    const link = aLink('a');
    const request = aRequest('a', { createdAt: NOW - 3 * SECOND });
    const finished = finishedBetween(aQueue({ requests: [request] }), aQueue(), [link], at());
    const details = { link, source: 'popup', waitedMs: 3 * SECOND };
    expect(finished).toEqual({ links: [details], stuck: [], listIds: [] });
  });

  test('reports a link without a request as one that the user did not wait for', () => {
    const details = { source: 'background', waitedMs: 0 };
    expect(finishedBetween(aQueue(), aQueue(), [aLink('a')], at())?.links).toMatchObject([details]);
  });
});

describe('a request that needs the user', () => {
  test('is reported once', () => {
    const before = { requests: [aRequest('a'), failed('b')] };
    const after = { requests: [failed('a'), failed('b')] };
    expect(idsOf(between(before, after)?.stuck)).toEqual(['a']);
    expect(between(after, after)).toBeNull();
  });

  test('is reported without the requests behind it that wait for the same reason', () => {
    const before = { requests: [aRequest('a'), aRequest('b')] };
    const halted = { state: { blocked: 'unauthorized' as const } };
    expect(idsOf(between(before, { ...halted, requests: [failed('a'), aRequest('b')] })?.stuck)).toEqual(['a']);
    expect(idsOf(between(before, { ...halted, ...before })?.stuck)).toEqual(['a', 'b']);
  });
});

test('a list is finished when none of its requests is sent automatically any more', () => {
  const before = { requests: [inGroup('a'), inGroup('b'), aRequest('c')] };
  expect(between(before, { requests: [inGroup('b'), aRequest('c')] })).toBeNull();
  expect(between(before, { requests: [aRequest('c')] })?.listIds).toEqual(['list']);
  for (const state of ['failed', 'uncertain']) {
    expect(between(before, { requests: [inGroup('a', { state })] })?.listIds).toEqual(['list']);
  }
});
