import { describe, expect, test } from 'vitest';
import { applyLateResult } from '../../../../src/queue/results/late-result.ts';
import {
  anAttempt,
  anOpenAttempt,
  answered,
  aQueue,
  aRequest,
  at,
  created,
  idsOf,
  NOW,
  refused,
} from '../support/queue-builders.ts';

const ATTEMPT = anAttempt(['a', 'b']);
const late = (queues: ReturnType<typeof aQueue>[], unassigned: ReturnType<typeof aRequest>[], items = both) =>
  applyLateResult({ queues, unassigned }, ATTEMPT, answered(items), at());
const both = [created('https://s.example/1'), created('https://s.example/2')];

describe('a link whose connection was deleted while it was created', () => {
  test('completes its request without a connection, and belongs to no connection', () => {
    const [a, b] = [aRequest('a'), aRequest('b')];
    const { all, ended } = late([aQueue({ requests: [b, aRequest('c')] })], [a]);
    expect(all.unassigned).toEqual([]);
    expect(idsOf(all.queues[0] as never)).toEqual(['c']);
    expect(ended.map(({ request, link }) => [request, link.id, link.shortUrl, link.connectionId])).toEqual([
      [b, 'b', 'https://s.example/2', null],
      [a, 'a', 'https://s.example/1', null],
    ]);
    expect(ended.map(({ link }) => link.createdAt)).toEqual([NOW, NOW + 0.001]);
  });

  test('ends an attempt of another queue only if the attempt has no other request', () => {
    const queue = aQueue({
      requests: [aRequest('a'), aRequest('c')],
      attempts: [anOpenAttempt(['a']), anOpenAttempt(['c'])],
    });
    const { all } = late([queue], []);
    expect(all.queues[0]?.attempts.map(({ requestIds }) => requestIds)).toEqual([['c']]);
  });

  test('changes no request that is sent again, was refused or belongs to another attempt', () => {
    const queue = aQueue({ requests: [aRequest('a', { state: 'sending' }), aRequest('b'), aRequest('c')] });
    const { all, ended } = late([queue], [], [created(), refused('invalid_url')]);
    expect(all.queues[0]).toBe(queue);
    expect(ended).toEqual([]);
  });
});
