import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setPaused } from '../../../../src/queue/cancel-retry-pause.ts';
import { nextStep } from '../../../../src/queue/next-step.ts';
import { applyProbe } from '../../../../src/queue/results/apply-probe.ts';
import { applyResult } from '../../../../src/queue/results/apply-result.ts';
import { resendAttempt, startAttempt } from '../../../../src/queue/start-attempt.ts';
import { burstsOf, type EstimatedSend, estimateSends } from '../../../../src/queue/status/send-time-estimate.ts';
import type { Queue, Quota } from '../../../../src/queue/types.ts';
import { runs } from '../../support/runs.ts';
import {
  anOpenAttempt,
  answered,
  aQueue,
  aRequest,
  at,
  created,
  DAY,
  fullService,
  HOUR,
  MINUTE,
  NOW,
  SECOND,
  SPENT,
  sending,
  sendsNow,
  specOnly,
  unanswered,
  well,
} from '../support/queue-builders.ts';

const many = (count: number, part = {}) => Array.from({ length: count }, (_, n) => aRequest(`r${n}`, part));
const idsFrom = (sends: EstimatedSend[]) => sends.map(({ requestIds }) => requestIds.length);

/** Returns the sends of a simulation in which the service always responds immediately. */
function played(queue: Queue): EstimatedSend[] {
  const sends: EstimatedSend[] = [];
  let current = queue;
  let ms = 0;
  for (let steps = 0; steps < 500; steps += 1) {
    const time = at(ms);
    const step = nextStep(current, time, { online: true, reachedAt: time.now });
    if (step.kind === 'wait' && step.until !== null) ms = step.until - NOW;
    else if (step.kind === 'probe') current = applyProbe(current, well({ date: time.now }), time, 0);
    else if (step.kind === 'send' || step.kind === 'resend') {
      const id = step.kind === 'send' ? `attempt-${steps}` : step.attemptId;
      const begun =
        step.kind === 'send' ? startAttempt(current, step.requestIds, id, time) : resendAttempt(current, id, time);
      const attempt = begun.attempts.find((one) => one.inFlight);
      if (!attempt) throw new Error('No attempt was started.');
      sends.push({ at: time.now, requestIds: attempt.requestIds });
      const outcome = answered(attempt.requestIds.map(() => created()));
      current = applyResult(begun, attempt, outcome, time, 0).queue;
    } else return sends;
  }
  throw new Error('The simulation did not end within 500 steps.');
}

const quotas = fc.record({
  limit: fc.integer({ min: 1, max: 25 }),
  spent: fc.array(fc.integer({ min: 0, max: 20 * HOUR }), { maxLength: 25 }),
  reports: fc.boolean(),
});

function quotaOf({ limit, spent, reports }: { limit: number; spent: number[]; reports: boolean }): Partial<Quota> {
  const sends = spent.slice(0, limit).map((ms) => ({ atService: NOW - ms, confirmed: true }));
  const clockSample = { local: NOW, service: NOW, workerId: 'first' };
  if (!reports) return { quota: { limit, windowMs: 25 * HOUR }, sends, clockSample };
  // The quota resets in four hours, so all sends of the last twenty hours count.
  const reported = { remaining: limit - sends.length, resetAtService: NOW + 4 * HOUR, windowMs: DAY };
  return { quota: { limit, windowMs: DAY }, sends, reported, clockSample };
}

describe('the estimate of sends', () => {
  test('equals the sends of the real rules, for any quota, batches and history', () => {
    const counts = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(counts, quotas, fc.boolean(), fc.nat({ max: 2_000 }), (count, quota, batches, paced) => {
        // Long enough to send sixty requests without testing the connection in between.
        const connection = { ...(batches ? fullService() : specOnly), serviceReadAt: NOW + 70 * DAY };
        const lastEndedAt = NOW - paced;
        const queue = aQueue({ connection, budget: quotaOf(quota), state: { lastEndedAt }, requests: many(count) });
        expect(estimateSends(queue, at())).toEqual(played(queue));
      }),
      { ...runs(), examples: [[59, { limit: 1, spent: [0], reports: false }, false, 0]] },
    );
  });

  test('starts with unanswered requests, and omits requests in flight', () => {
    const open = unanswered(['open'], { requests: many(2) });
    expect(estimateSends(open, at()).map(({ requestIds }) => requestIds)).toEqual([['open'], ['r0', 'r1']]);
    const inFlight = sending(['on-its-way'], { connection: fullService(), requests: many(2) });
    expect(estimateSends(inFlight, at()).map(({ requestIds }) => requestIds)).toEqual([['r0', 'r1']]);
  });

  test('ends with delayed requests, in the order in which their delays end', () => {
    const capped = aRequest('capped', { createdAt: NOW - HOUR, sends: sendsNow(3) });
    const parked = (id: string, parkedUntil: number) => anOpenAttempt([id], { parkedUntil });
    const attempts = [parked('late', NOW + 2 * DAY), parked('early', NOW + MINUTE), parked('due', NOW)];
    const ids = ['late', 'early', 'due'];
    const requests = [capped, ...ids.map((id) => aRequest(id, { state: 'unanswered', attempts: 1 })), aRequest('a')];
    const sends = estimateSends(aQueue({ connection: fullService(), requests, attempts }), at());
    expect(sends).toEqual([
      { at: NOW, requestIds: ['due'] },
      { at: NOW + SECOND, requestIds: ['a'] },
      { at: NOW + MINUTE, requestIds: ['early'] },
      { at: NOW + 25 * HOUR, requestIds: ['capped'] },
      { at: NOW + 2 * DAY, requestIds: ['late'] },
    ]);
  });

  test('starts at the end of a delay, and assumes that a paused queue is resumed', () => {
    const pause = { until: NOW + MINUTE, reason: 'busy', named: true } as const;
    const queue = aQueue({ state: { pause }, requests: many(1) });
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
    const quota = { limit: 0, windowMs: DAY };
    expect(estimateSends(aQueue({ budget: { quota }, requests: many(1) }), at())).toEqual([]);
  });
});

describe('bursts', () => {
  test('use the quota that is left today, and the quota of the next days', () => {
    const queue = aQueue({ budget: { sends: sendsNow(5) }, requests: many(40) });
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
    const queue = aQueue({ budget: { ...SPENT, sends: sendsNow(19) }, requests: many(3) });
    expect(burstsOf(estimateSends(queue, at()), new Set(['r1', 'r2']))).toEqual([{ at: NOW + 25 * HOUR, count: 2 }]);
  });
});
