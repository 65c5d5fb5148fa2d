import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/queue/outcome.ts';
import { settle } from '../../../src/queue/settle.ts';
import { answered, at, created, forNow, lost, refused, sending, unclear } from './given.ts';

/** The queue after this outcome, `failures` having gone before. Half of a back-off is left to chance: here the middle. */
function queueAfter(outcome: Outcome, failures = 0) {
  const ids = outcome.items.map((_, index) => `r${index}`);
  const before = sending(ids, { queue: { failures } });
  return settle(before, outcome, at(), 0.5).snapshot.queue;
}

const pause = (ms: number, reason: string) => ({ pause: { until: at(ms).now, reason } });

test('a success ends every pause and forgets the failures', () => {
  expect(queueAfter(answered([created()]), 3)).toMatchObject({ pause: null, failures: 0, halt: null });
});

test('a refusal for good says nothing against the next request', () => {
  expect(queueAfter(answered([refused('invalid_url')]), 3)).toMatchObject({ pause: null, failures: 0, halt: null });
});

describe('refused for now', () => {
  test.each([
    ['throttled', 'throttle'],
    ['quota_exceeded', 'quota'],
    ['busy', 'busy'],
  ] as const)('as %s it waits as long as the service says', (code, reason) => {
    expect(queueAfter(answered([forNow(code, 30)]), 4)).toMatchObject({ ...pause(30_000, reason), failures: 5 });
  });

  test('without a time it waits longer with every refusal', () => {
    expect(queueAfter(answered([forNow('busy')]))).toMatchObject({ ...pause(1_500, 'busy'), failures: 1 });
    expect(queueAfter(answered([forNow('busy')]), 1)).toMatchObject({ ...pause(9_000, 'busy'), failures: 2 });
  });

  test('until now, which no clock can keep, it waits as without a time: each try costs budget', () => {
    expect(queueAfter(answered([forNow('throttled', 0)]))).toMatchObject(pause(1_500, 'throttle'));
  });

  test('it notes whether the time was the service’s or is a guess', () => {
    expect(queueAfter(answered([forNow('busy', 30)])).pause?.told).toBe(true);
    expect(queueAfter(answered([forNow('busy')])).pause?.told).toBe(false);
    expect(queueAfter(answered([forNow('throttled', 0)])).pause?.told).toBe(false);
  });

  test('by one item of a batch it waits', () => {
    expect(queueAfter(answered([created(), forNow('throttled', 5)]))).toMatchObject(pause(5_000, 'throttle'));
  });
});

test('without an answer it waits longer every time', () => {
  expect(queueAfter(lost())).toMatchObject({ ...pause(1_500, 'unreachable'), failures: 1 });
  expect(queueAfter(lost(), 1)).toMatchObject({ ...pause(3_000, 'unreachable'), failures: 2 });
});

test('a service that answers nonsense is left alone too, instead of having everything that waits sent into it', () => {
  expect(queueAfter(answered([unclear('not_understood')]), 1)).toMatchObject({ ...pause(9_000, 'busy'), failures: 2 });
  expect(queueAfter(answered([created(), unclear('not_understood')]))).toMatchObject(pause(1_500, 'busy'));
});

describe('what every other request would meet too halts the queue', () => {
  test.each(['unauthorized', 'not_a_service', 'redirected'] as const)('%s', (code) => {
    expect(queueAfter(answered([refused(code)]))).toMatchObject({ halt: code, pause: null });
    expect(queueAfter(answered([created(), refused(code), forNow('busy', 1)]))).toMatchObject({ halt: code });
  });

  test.each(['invalid_url', 'short_code_taken', 'refused'] as const)('%s does not', (code) => {
    expect(queueAfter(answered([refused(code)])).halt).toBeNull();
  });
});

test('what the answer told of time and limits reaches the budget', () => {
  const limits = { throttle: { limit: 1, windowSeconds: 7, remaining: 0, resetSeconds: 7 }, quota: null };
  const { budget } = settle(sending(['a']), answered([created()], { date: 77_000, limits }), at(), 0.5).snapshot;
  expect(budget).toMatchObject({ gapMs: 7_000, evidence: { service: 77_000 } });
});
