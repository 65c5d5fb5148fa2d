import { describe, expect, test } from 'vitest';
import { correctTimes } from '../../../src/queue/limits.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import { applyProbe } from '../../../src/queue/probe.ts';
import { applyResult } from '../../../src/queue/result.ts';
import { recover } from '../../../src/queue/sending.ts';
import {
  connectionSaved,
  networkReturned,
  reconnected,
  retry,
  setPaused,
  tryNow,
} from '../../../src/queue/user-actions.ts';
import {
  answered,
  aQueue,
  aRequest,
  at,
  created,
  DAY,
  fullService,
  lost,
  MINUTE,
  NOW,
  sending,
  sentRequest,
  well,
} from './support/queue-builders.ts';

const THERE = { online: true };
const held = setPaused(aQueue({ connection: fullService(), requests: [aRequest('a')] }), true);

describe('a paused queue', () => {
  test('sends and probes nothing, even after a long time', () => {
    for (const ms of [0, MINUTE, 400 * DAY]) expect(nextStep(held, at(ms), THERE)).toEqual({ kind: 'paused' });
    expect(
      nextStep(setPaused(aQueue({ connection: fullService(), requests: [sentRequest('a')] }), true), at(MINUTE), THERE),
    ).toEqual({ kind: 'paused' });
  });

  test('continues as before when the user resumes it', () => {
    const released = setPaused(held, false);
    expect(nextStep(released, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a'] });
    expect('pausedByUser' in released.state).toBe(false);
  });

  test('is resumed only by the user', () => {
    const other = { ...held.connection, baseUrl: 'https://other.example' };
    const inFlight = setPaused(sending(['a'], { connection: fullService() }), true);
    const { requests } = inFlight;
    const ended = [
      tryNow(held),
      retry(held, 'a', 'new-key'),
      networkReturned(held),
      connectionSaved(held, held.connection),
      reconnected(held, held.connection),
      reconnected(held, other),
      applyProbe(held, well(), at(), 0),
      applyProbe(held, null, at(), 0),
      recover(inFlight, at()),
      correctTimes({ ...held, state: { ...held.state, lastEndedAt: NOW + DAY } }, at()),
      applyResult(inFlight, requests, answered([created()]), at(), 0).queue,
      applyResult(inFlight, requests, lost(), at(), 0).queue,
    ];
    expect(ended.map(({ state }) => state.paused)).toEqual(ended.map(() => true));
  });
});
