import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { recover } from '../../../../src/queue/crash-recovery.ts';
import { nextStep } from '../../../../src/queue/next-step.ts';
import { applyLookUp, isLookUpDue, linksToLookUp } from '../../../../src/queue/results/look-up-created-links.ts';
import type { Attempt, Connection, Queue } from '../../../../src/queue/types.ts';
import type { Found } from '../../../../src/servers/adapter.ts';
import {
  at,
  DAY,
  fullService,
  idsOf,
  NOW,
  sending,
  specOnly,
  statesOf,
  takesCodes,
  unanswered,
} from '../support/queue-builders.ts';

const THERE = { online: true, reachedAt: NOW };
const connection = takesCodes(FEATURE.batch, FEATURE.itemIdempotency);

/**
 * Returns a queue with an unanswered attempt of these requests, each with a short code that the extension generated.
 */
function lost(ids: string[], attempt: Partial<Attempt> = {}, service: Connection = connection): Queue {
  const queue = unanswered(ids, { connection: service, attempt: { lookUpDue: true, ...attempt } });
  const requests = queue.requests.map((one) => ({ ...one, generatedCode: `code-${one.id}` }));
  return { ...queue, requests };
}

const linkTo = (id: string): Found => ({ state: 'found', shortUrl: `https://s.example/code-${id}` });
const idOf = (queue: Queue) => queue.attempts[0]?.id ?? '';

describe('a send without a response', () => {
  test('is looked up by its short code before it is sent again, even if it is delayed', () => {
    for (const attempt of [
      {},
      { parkedUntil: NOW + DAY },
      { firstSend: { atService: NOW - 31 * DAY, confirmed: true } },
    ]) {
      const queue = lost(['a'], attempt);
      expect(nextStep(queue, at(), THERE)).toEqual({ kind: 'look_up', attemptId: idOf(queue) });
    }
  });

  test('of a dead worker is looked up by the next worker', () => {
    const killed = sending(['a'], { connection, attempt: { lookUpDue: true } });
    const requests = killed.requests.map((one) => ({ ...one, generatedCode: 'abc' }));
    expect(nextStep(recover({ ...killed, requests }, at()), at(2_000), THERE).kind).toBe('look_up');
  });

  test.each([
    ['that was already looked up', lost(['a'], { lookUpDue: false })],
    ['that never reached the service', lost(['a'], { refusals: 1 })],
    ['at a service that shows no links', lost(['a'], {}, fullService())],
    ['of too many links for single look-ups', lost(Array.from({ length: 11 }, (_, n) => `${n}`))],
    ['without a code', unanswered(['a'], { connection, attempt: { lookUpDue: true } })],
  ])('%s is not looked up', (_name, queue) => {
    const [attempt] = queue.attempts;
    expect(attempt && isLookUpDue(attempt, queue, at())).toBe(false);
  });

  test('is looked up by the code that the user chose, or by the generated code', () => {
    const queue = lost(['a', 'b']);
    const requests = queue.requests.map((one) =>
      one.id === 'b' ? { ...one, options: { ...one.options, shortCode: 'mine' } } : one,
    );
    const [attempt] = queue.attempts;
    expect(attempt && [...linksToLookUp(attempt, requests)]).toMatchObject([
      ['a', { shortCode: 'code-a', url: 'https://x.example/a' }],
      ['b', { shortCode: 'mine', url: 'https://x.example/b' }],
    ]);
  });
});

describe('the result of a look-up', () => {
  test('turns found requests into links, and leaves the others unchanged', () => {
    const before = { ...lost(['a', 'b']), state: { ...lost(['a']).state, failures: 2 } };
    const found = new Map<string, Found>([
      ['a', linkTo('a')],
      ['b', { state: 'absent' }],
    ]);
    const { queue, links } = applyLookUp(before, idOf(before), found, at(5), 0.5);
    expect(links).toMatchObject([{ id: 'a', shortUrl: 'https://s.example/code-a', shortCode: 'code-a' }]);
    expect(statesOf(queue)).toEqual(['b unknown']);
    expect(queue.attempts).toMatchObject([{ lookUpDue: false }]);
    expect(queue.state.failures).toBe(0);
    const after = applyLookUp(queue, idOf(queue), new Map([['b', linkTo('b')]]), at(6), 0.5).queue;
    expect(after).toMatchObject({ attempts: [], requests: [] });
  });

  test('with the same code but another URL belongs to another user', () => {
    const before = lost(['a']);
    const { queue, links } = applyLookUp(before, idOf(before), new Map([['a', { state: 'taken' }]]), at(), 0.5);
    expect(links).toEqual([]);
    expect(idsOf(queue)).toEqual(['a']);
    expect(nextStep(queue, at(), THERE).kind).toBe('resend');
  });

  test('that stays unclear is repeated less and less often, until the user must decide', () => {
    let queue = lost(['a'], {}, { ...specOnly, kind: 'kutt' });
    const waits: number[] = [];
    for (let now = 0; queue.attempts.length > 0; ) {
      if (waits.length > 20) break;
      expect(nextStep(queue, at(now), THERE).kind).toBe('look_up');
      queue = applyLookUp(queue, idOf(queue), new Map([['a', { state: 'unknown' }]]), at(now), 0.5).queue;
      const until = queue.attempts[0]?.lookUpAt ?? NOW + now;
      waits.push(until - NOW - now);
      now = until - NOW;
    }
    expect(waits.slice(0, 4)).toEqual([2_250, 22_500, 225_000, 225_000]);
    expect(waits).toHaveLength(9);
    expect(statesOf(queue)).toEqual(['a uncertain']);
  });

  test('does not affect an attempt that has ended or is being sent again', () => {
    const found = new Map([['a', linkTo('a')]]);
    for (const before of [{ ...lost(['a']), attempts: [] }, lost(['a'], { inFlight: true })]) {
      expect(applyLookUp(before, 'attempt-a', found, at(), 0.5)).toEqual({ queue: before, links: [] });
    }
  });
});
