import { describe, expect, test } from 'vitest';
import { recover } from '../../../src/queue/crash-recovery.ts';
import {
  anAttempt,
  anOpenAttempt,
  aQueue,
  aRequest,
  at,
  fullService,
  MINUTE,
  NOW,
  sending,
  statesOf,
  unanswered,
} from './support/queue-builders.ts';

const later = at(3_000);
/** Longer than any send, so that an idle background worker stays alive. */
const idle = at(20_000);

describe('a request that a dead worker left in flight', () => {
  test('is left to the user if it cannot be repeated safely, and its attempt ends now', () => {
    const after = recover(sending(['a', 'b'], { requests: [aRequest('w')] }), later);
    expect(statesOf(after)).toEqual(['a uncertain', 'b uncertain', 'w waiting']);
    expect(after.requests[0]?.problem).toEqual({ code: 'interrupted', message: '' });
    expect(after.attempts).toEqual([]);
    expect(after.state.lastEndedAt).toBe(later);
  });

  test('is sent again if the service supports idempotency keys', () => {
    const before = sending(['a'], { connection: fullService() });
    const after = recover(before, later);
    expect(after.attempts).toEqual([{ ...before.attempts[0], inFlight: false }]);
    expect(after.requests).toMatchObject([{ state: 'unknown', problem: { code: 'interrupted', message: '' } }]);
  });

  test('is left to the user after the sixth send', () => {
    const inFlight = (sends: number) => sending(['a'], { connection: fullService(), attempt: { sends } });
    expect(statesOf(recover(inFlight(5), later))).toEqual(['a unknown']);
    expect(statesOf(recover(inFlight(6), later))).toEqual(['a uncertain']);
    expect(recover(inFlight(6), later).attempts).toEqual([]);
  });

  test('is uncertain even if its attempt is missing', () => {
    const before = aQueue({ requests: [aRequest('a', { state: 'sending' })] });
    expect(statesOf(recover(before, later))).toEqual(['a uncertain']);
  });
});

describe('if a dead worker left nothing in flight', () => {
  test('the queue and its pace stay unchanged', () => {
    const requests = [aRequest('w'), aRequest('f', { state: 'failed' }), aRequest('u', { state: 'uncertain' })];
    const before = aQueue({ requests, state: { lastEndedAt: NOW } });
    expect(recover(before, idle)).toBe(before);
  });

  test('the pace counts from now if the last send was less than 20 seconds ago', () => {
    const endedAt = (lastEndedAt: number | null) =>
      recover(aQueue({ state: { lastEndedAt } }), later).state.lastEndedAt;
    expect(endedAt(later - 19_999)).toBe(later);
    expect(endedAt(later - 20_000)).toBe(later - 20_000);
    expect(endedAt(null)).toBeNull();
  });

  test('an open attempt stays open, and the pace does not count from now', () => {
    const before = unanswered(['a'], { state: { lastEndedAt: NOW } });
    expect(recover(before, idle)).toBe(before);
  });
});

test('a request without its attempt is left to the user, and an attempt without requests is deleted', () => {
  const orphan = aQueue({ requests: [aRequest('a', { state: 'sending' }), aRequest('w')] });
  expect(statesOf(recover(orphan, later))).toEqual(['a uncertain', 'w waiting']);
  const empty = aQueue({ attempts: [anAttempt(['a'])], state: { lastEndedAt: later } });
  expect(recover(empty, later).attempts).toEqual([]);
});

test('an open attempt stays unchanged when the attempt in flight is recovered', () => {
  const parked = anOpenAttempt(['p'], { parkedUntil: NOW + MINUTE, parks: 1 });
  const before = sending(['a'], { connection: fullService(), attempts: [parked] });
  expect(recover(before, later).attempts[1]).toBe(parked);
});
