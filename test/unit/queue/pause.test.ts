import { describe, expect, test } from 'vitest';
import {
  adoptRequests,
  connectionSaved,
  moveRequests,
  reconnected,
  removeConnection,
} from '../../../src/queue/add-replace-delete-connection.ts';
import { networkReturned, retry, setPaused, tryNow } from '../../../src/queue/cancel-retry-pause.ts';
import { recover } from '../../../src/queue/crash-recovery.ts';
import { withClock } from '../../../src/queue/limits/clock-changes.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import { applyProbe } from '../../../src/queue/results/apply-probe.ts';
import { applyResult } from '../../../src/queue/results/apply-result.ts';
import { requestStatuses } from '../../../src/queue/status/request-status.ts';
import type { Queue } from '../../../src/queue/types.ts';
import {
  answered,
  aQueue,
  aRequest,
  at,
  created,
  DAY,
  fullService,
  lost,
  MINTING,
  MINUTE,
  NOW,
  sending,
  statesOf,
  unanswered,
  well,
} from './support/queue-builders.ts';

const THERE = { online: true, reachedAt: NOW };
const held = setPaused(aQueue({ connection: fullService(), requests: [aRequest('a')] }), true);

describe('a queue on hold', () => {
  test('sends nothing and asks its service nothing, however much time passes', () => {
    for (const ms of [0, MINUTE, 400 * DAY]) expect(nextStep(held, at(ms), THERE)).toEqual({ kind: 'on_hold' });
    expect(nextStep(setPaused(unanswered(['a']), true), at(MINUTE), THERE)).toEqual({ kind: 'on_hold' });
  });

  test('says so of whatever waits in it', () => {
    expect(requestStatuses(held, at(), true).get('a')).toEqual({ kind: 'waiting', reason: 'on_hold', at: null });
  });

  test('goes on as if nothing had been once the person lets it', () => {
    const released = setPaused(held, false);
    expect(nextStep(released, at(), THERE)).toEqual({ kind: 'send', requestIds: ['a'] });
    expect('onHold' in released.state).toBe(false);
    expect(setPaused(released, false)).toBe(released);
    expect(setPaused(held, true)).toBe(held);
  });

  test('stays on hold in another queue, at once or after a time without any connection', () => {
    const other = aQueue({ connection: { ...fullService(), id: 'd' }, requests: [aRequest('own')] });
    const moved = adoptRequests(other, removeConnection(held));
    const later = adoptRequests(other, moveRequests(moveRequests(removeConnection(held), null), null));
    for (const queue of [moved, later]) {
      expect(nextStep(queue, at(), THERE)).toEqual({ kind: 'on_hold' });
      expect(queue.requests.map(({ id }) => id).sort()).toEqual(['a', 'own']);
      expect(setPaused(queue, false).requests.some((request) => 'onHold' in request)).toBe(false);
    }
    expect(adoptRequests(other, removeConnection(setPaused(held, false))).state.onHold).toBeUndefined();
  });

  test('holds up no other queue by what does not wait: that goes nowhere before the person says so', () => {
    const states = ['failed', 'undecided', 'sending', 'unanswered'] as const;
    const requests = states.map((state) => aRequest(state, { state }));
    const other = aQueue({ connection: { ...fullService(), id: 'd' }, requests: [aRequest('own')] });
    const moved = adoptRequests(
      other,
      removeConnection(setPaused(aQueue({ connection: fullService(), requests }), true)),
    );
    expect(moved.state.onHold).toBeUndefined();
    expect(nextStep(moved, at(), THERE)).toEqual({ kind: 'send', requestIds: ['own'] });
    const kept = removeConnection(setPaused(aQueue({ requests: [...requests, aRequest('waits')] }), true));
    expect(kept.filter(({ onHold }) => onHold).map(({ id }) => id)).toEqual(['waits']);
  });

  describe('with a request that failed by its connection', () => {
    const key = () => 'new-key';
    const refused = { state: 'failed', problem: { code: 'unauthorized', message: '' } } as const;
    const hadFailed = setPaused(aQueue({ connection: fullService(), requests: [aRequest('a', refused)] }), true);
    const other = aQueue({ connection: { ...fullService(), id: 'd' }, requests: [aRequest('own')] });
    const save = (queue: Queue) => connectionSaved(queue, queue.connection, key);
    const forget = (queue: Queue) => moveRequests(removeConnection(queue), null);

    test('holds up no other queue, until a save lets it wait there', () => {
      for (const moved of [
        adoptRequests(other, removeConnection(hadFailed)),
        adoptRequests(other, moveRequests(forget(hadFailed), null)),
      ]) {
        expect(nextStep(moved, at(), THERE)).toEqual({ kind: 'send', requestIds: ['own'] });
        const saved = save(moved);
        expect(statesOf(saved)).toEqual(['own waiting', 'a waiting']);
        expect(nextStep(saved, at(), THERE)).toEqual({ kind: 'on_hold' });
        expect(nextStep(setPaused(saved, false), at(), THERE)).toEqual({ kind: 'send', requestIds: ['own', 'a'] });
      }
    });

    test('remembers it also where the queue that took it is forgotten too', () => {
      const again = adoptRequests(other, forget(adoptRequests(other, forget(hadFailed))));
      expect(save(again).state.onHold).toBe(true);
    });

    test('sends it where the person asks for it, or has let the queue go on that it came to', () => {
      const moved = adoptRequests(other, removeConnection(hadFailed));
      for (const asked of [retry(moved, 'a', 'new-key'), save(setPaused(setPaused(moved, true), false))]) {
        expect(nextStep(asked, at(), THERE)).toEqual({ kind: 'send', requestIds: ['own', 'a'] });
        expect(asked.requests.some((request) => 'onHold' in request)).toBe(false);
        expect(save(asked).state.onHold).toBeUndefined();
      }
    });
  });

  test('is let go on by nothing else', () => {
    const key = () => 'new-key';
    const other = { ...held.connection, baseUrl: 'https://other.example' };
    const inFlight = setPaused(sending(['a'], { connection: fullService() }), true);
    const [attempt] = inFlight.attempts;
    if (!attempt) throw new Error('One is in flight.');
    const ended = [
      tryNow(held),
      retry(held, 'a', 'new-key'),
      networkReturned(held),
      connectionSaved(held, held.connection, key),
      reconnected(held, held.connection, key),
      reconnected(held, other, key),
      applyProbe(held, well(), at(), 0),
      applyProbe(held, null, at(), 0),
      recover(inFlight, at(0, 'second')),
      withClock({ ...held, state: { ...held.state, latestTime: NOW + DAY } }, at()),
      applyResult(inFlight, attempt, answered([created()]), at(), 0, MINTING).queue,
      applyResult(inFlight, attempt, lost(), at(), 0, MINTING).queue,
    ];
    expect(ended.map(({ state }) => state.onHold)).toEqual(ended.map(() => true));
  });
});
