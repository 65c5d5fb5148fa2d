import { FEATURE } from '@terse/contract/service-capabilities';
import { expect, test } from 'vitest';
import { applyLookUp } from '../../../src/queue/probe.ts';
import type { Connection, Request } from '../../../src/queue/types.ts';
import type { Found } from '../../../src/servers/adapter.ts';
import { aQueue, aRequest, at, NOW, sentRequest, specOnly, takesCodes } from './support/queue-builders.ts';

const codes: Connection = takesCodes(FEATURE.batch, FEATURE.itemIdempotency);
const kutt: Connection = { ...specOnly, kind: 'kutt' };

function lookedUp(state: Found['state'], connection: Connection, part: Partial<Request> = {}) {
  const request = sentRequest('a', { lookUpDue: true, ...part }, 'abc');
  const requests = [aRequest('b'), request, aRequest('c')];
  const queue = aQueue({ connection, requests, state: { failures: 2 } });
  const found = { state, ...(state === 'found' && { shortUrl: 'https://s.example/abc' }) } as Found;
  return applyLookUp(queue, 'a', found, at(), 0.5);
}

test('a link that is found ends its request, at no cost', () => {
  const { queue, links } = lookedUp('found', codes);
  expect(links).toMatchObject([{ id: 'a', shortUrl: 'https://s.example/abc' }]);
  expect(queue.requests.map(({ id }) => id)).toEqual(['b', 'c']);
  expect(queue.state.failures).toBe(0);
  expect(queue.limits.sends).toEqual([]);
});

test('a link that does not exist is requested again after a delay, and at once if the user asks', () => {
  expect(lookedUp('absent', kutt).queue.requests[1]).toMatchObject({ lookUpDue: false, retryAt: NOW + 2_250 });
  expect(lookedUp('absent', kutt, { attempts: 0 }).queue.requests[1]).toMatchObject({ retryAt: NOW });
  expect(lookedUp('absent', kutt)).toMatchObject({
    links: [],
    queue: { requests: [aRequest('b'), {}, aRequest('c')] },
  });
  expect(lookedUp('unknown', codes).queue.requests[1]).toMatchObject({ lookUpDue: false, state: 'unknown' });
});

test('a code of another link fails the request if the server recognizes requests by their codes', () => {
  expect(lookedUp('taken', kutt).queue.requests[1]).toMatchObject({
    state: 'failed',
    problem: { code: 'generated_code_taken' },
  });
  expect(lookedUp('taken', codes).queue.requests[1]).toMatchObject({ state: 'unknown', lookUpDue: false });
});

test('an unclear answer is asked for again less and less often, and after ten minutes the user must decide', () => {
  const after = (attempts: number) => lookedUp('unknown', kutt, { attempts }).queue.requests[1];
  expect([1, 2, 3, 4].map((attempts) => (after(attempts)?.retryAt ?? 0) - NOW)).toEqual([
    22_500, 225_000, 225_000, 225_000,
  ]);
  expect(after(4)).toMatchObject({ state: 'unknown', lookUpDue: true, attempts: 5 });
  expect(after(5)).toMatchObject({ state: 'uncertain' });
});

test('an answer is not used if the request has ended or is being sent again', () => {
  for (const state of ['sending', 'uncertain', 'failed'] as const) {
    const { queue, links } = lookedUp('found', codes, { state });
    expect([links, queue.requests.map(({ id }) => id)]).toEqual([[], ['b', 'a', 'c']]);
  }
});
