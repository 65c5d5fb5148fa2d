import { describe, expect, test } from 'vitest';
import { burstsOf, type EstimatedSend, estimateSends } from '../../../src/queue/send-time-estimate.ts';
import { setPaused } from '../../../src/queue/user-actions.ts';
import {
  aQueue,
  aRequest,
  at,
  DAY,
  fullService,
  HOUR,
  MINUTE,
  NOW,
  SECOND,
  SPENT,
  sending,
  sendsNow,
  sentRequest,
} from './support/queue-builders.ts';

const many = (count: number, part = {}) => Array.from({ length: count }, (_, n) => aRequest(`r${n}`, part));
const idsFrom = (sends: EstimatedSend[]) => sends.map(({ requestIds }) => requestIds.length);

describe('the estimate of sends', () => {
  test('uses the remaining quota until it resets, then the quota of each next day', () => {
    const limits = { perDay: 2, reported: { remaining: 1, resetAt: NOW + HOUR } };
    const sends = estimateSends(aQueue({ limits, requests: many(4) }), at());
    expect(sends.map(({ at }) => at - NOW)).toEqual([0, HOUR, HOUR + SECOND, 26 * HOUR]);
  });

  test('starts with unanswered requests, and omits requests in flight', () => {
    const alone = sentRequest('open', { createdAt: NOW - HOUR, maxBatch: 1 });
    const open = aQueue({ connection: fullService(), requests: [alone, ...many(2)] });
    expect(estimateSends(open, at()).map(({ requestIds }) => requestIds)).toEqual([['open'], ['r0', 'r1']]);
    const inFlight = sending(['on-its-way'], { connection: fullService(), requests: many(2) });
    expect(estimateSends(inFlight, at()).map(({ requestIds }) => requestIds)).toEqual([['r0', 'r1']]);
  });

  test('ends with delayed requests, in the order in which their delays end', () => {
    const delayed = (id: string, retryAt: number) => sentRequest(id, { retryAt, maxBatch: 1 });
    const times = { late: NOW + 2 * DAY, early: NOW + MINUTE, capped: NOW + 25 * HOUR };
    const requests = Object.entries(times).map(([id, retryAt]) => delayed(id, retryAt));
    const queue = aQueue({
      connection: fullService(),
      requests: [...requests, delayed('due', NOW - 1), aRequest('a')],
    });
    const sends = estimateSends(queue, at());
    expect(sends).toEqual([
      { at: NOW, requestIds: ['due'] },
      { at: NOW + SECOND, requestIds: ['a'] },
      { at: NOW + MINUTE, requestIds: ['early'] },
      { at: NOW + 25 * HOUR, requestIds: ['capped'] },
      { at: NOW + 2 * DAY, requestIds: ['late'] },
    ]);
  });

  test('starts at the end of a delay, and assumes that a paused queue is resumed', () => {
    const wait = { until: NOW + MINUTE, reason: 'busy', named: true } as const;
    const queue = aQueue({ state: { wait }, requests: many(1) });
    expect(estimateSends(queue, at())).toEqual([{ at: NOW + MINUTE, requestIds: ['r0'] }]);
    expect(estimateSends(setPaused(queue, true), at())).toEqual(estimateSends(queue, at()));
  });

  test('uses batches if the service supports them: a list of thirty costs one request', () => {
    expect(idsFrom(estimateSends(aQueue({ connection: fullService(), requests: many(30) }), at()))).toEqual([30]);
    expect(idsFrom(estimateSends(aQueue({ connection: fullService(), requests: many(120) }), at()))).toEqual([
      50, 50, 20,
    ]);
    expect(estimateSends(aQueue({ requests: many(30) }), at())).toHaveLength(30);
  });

  test('is empty if the service allows nothing', () => {
    expect(estimateSends(aQueue({ limits: { perDay: 0 }, requests: many(1) }), at())).toEqual([]);
  });
});

describe('bursts', () => {
  test('use the quota that is left today, and the quota of the next days', () => {
    const queue = aQueue({ limits: { sends: sendsNow(5) }, requests: many(40) });
    expect(burstsOf(estimateSends(queue, at()))).toEqual([
      { at: NOW, count: 15 },
      { at: NOW + 25 * HOUR, count: 20 },
      { at: NOW + 50 * HOUR, count: 5 },
    ]);
  });

  test('end when no request follows within ten minutes', () => {
    const sends = [0, 10 * MINUTE, 20 * MINUTE + 1].map((ms, n) => ({ at: NOW + ms, requestIds: [`r${n}`] }));
    expect(burstsOf(sends)).toEqual([
      { at: NOW, count: 2 },
      { at: NOW + 20 * MINUTE + 1, count: 1 },
    ]);
  });

  test('can be limited to some requests', () => {
    const queue = aQueue({ limits: { ...SPENT, sends: sendsNow(19) }, requests: many(3) });
    expect(burstsOf(estimateSends(queue, at()), new Set(['r1', 'r2']))).toEqual([{ at: NOW + 25 * HOUR, count: 2 }]);
  });
});
