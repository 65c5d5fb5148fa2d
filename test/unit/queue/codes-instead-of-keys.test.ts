import { describe, expect, test } from 'vitest';
import { newQueue } from '../../../src/queue/add-replace-delete-connection.ts';
import { retry, tryNow } from '../../../src/queue/cancel-retry-pause.ts';
import { recover } from '../../../src/queue/crash-recovery.ts';
import { correctTimes, isUnlimited, newLimits, withOwnLimits } from '../../../src/queue/limits.ts';
import { nextStep } from '../../../src/queue/next-step.ts';
import { applyProbe } from '../../../src/queue/results/apply-probe.ts';
import { applyResult } from '../../../src/queue/results/apply-result.ts';
import { applyLookUp } from '../../../src/queue/results/look-up-created-links.ts';
import { promisedShortUrl, withNeededCodes } from '../../../src/queue/short-code-generator.ts';
import { startAttempt } from '../../../src/queue/start-attempt.ts';
import type { Connection, Queue, Request } from '../../../src/queue/types.ts';
import type { Found, ServiceKind } from '../../../src/servers/adapter.ts';
import {
  answered,
  aQueue,
  aRequest,
  at,
  created,
  DAY,
  keyed,
  lost,
  MINTING,
  NOW,
  refused,
  SECOND,
  specOnly,
  statesOf,
  well,
} from './support/queue-builders.ts';

/* Tests of servers without idempotency keys. There, the short code of a link makes its request repeatable. */

const THERE = { online: true, reachedAt: NOW };
const SERVICE = { name: 'A', shortBaseUrl: 'https://s.example', features: [] };

function connectionTo(kind: ServiceKind, part: Partial<Connection> = {}): Connection {
  return { ...specOnly, kind, service: SERVICE, lastSeenWellAt: NOW, ...part };
}

const KUTT = connectionTo('kutt');
const coded = (id: string, part: Partial<Request> = {}) => aRequest(id, { generatedCode: `code${id}`, ...part });

/** Returns a queue whose only request was sent and got no answer. */
function unanswered(connection: Connection, request = coded('a')): Queue {
  const started = startAttempt(aQueue({ connection, requests: [request] }), ['a'], 'attempt', at());
  const [attempt] = started.attempts;
  if (!attempt) throw new Error('The attempt was not started.');
  const { queue } = applyResult(started, attempt, lost(), at(), 0.5);
  return applyProbe(queue, well({ service: SERVICE, key: 'accepted' }), at(), 0.5);
}

const foundOf = (found: Found) => new Map([['a', found]]);
const lookUp = (queue: Queue, found: Found, ms = 0) => applyLookUp(queue, 'attempt', foundOf(found), at(ms), 0);

describe('a request without an answer', () => {
  test.each(['kutt', 'yourls', 'sink', 'shlink', 'chhoto'] as const)(
    'is sent to %s again with the same short code',
    (kind) => {
      const queue = unanswered(connectionTo(kind));
      expect(statesOf(queue)).toEqual(['a unknown']);
      expect(JSON.parse(queue.attempts[0]?.body ?? '')).toEqual({ url: 'https://x.example/a', shortCode: 'codea' });
      const absent = lookUp(queue, { state: 'absent' }, 20 * SECOND).queue;
      // Codes do not expire, unlike idempotency keys.
      expect(nextStep(absent, at(60 * DAY), { ...THERE, reachedAt: NOW + 60 * DAY }).kind).toMatch(/resend|probe/);
    },
  );

  test('is uncertain if it has no code', () => {
    expect(statesOf(unanswered(connectionTo('yourls'), aRequest('a')))).toEqual(['a uncertain']);
  });

  test('is looked up only when the server must have finished the first send', () => {
    const queue = unanswered(KUTT);
    expect(nextStep(queue, at(2 * SECOND), THERE)).toMatchObject({ kind: 'wait', until: NOW + 15 * SECOND });
    expect(nextStep(queue, at(15 * SECOND), THERE)).toEqual({ kind: 'look_up', attemptId: 'attempt' });
  });

  test.each<[string, (queue: Queue) => Queue]>([
    ['"Try again"', (queue) => retry(queue, 'a', keyed('new'))],
    ['"Try now"', tryNow],
  ])('is looked up at once by %s, however long its delay is', (_name, press) => {
    let queue = unanswered(KUTT);
    for (const now of [20, 80]) queue = lookUp(queue, { state: 'unknown' }, now * SECOND).queue;
    expect(nextStep(queue, at(100 * SECOND), THERE).kind).toBe('wait');
    expect(nextStep(press(queue), at(100 * SECOND), THERE)).toEqual({ kind: 'look_up', attemptId: 'attempt' });
  });

  test('is not sent again after an early look-up until the server must have finished the first send', () => {
    const pressed = retry(unanswered(KUTT), 'a', keyed('new'));
    expect(nextStep(pressed, at(3 * SECOND), THERE).kind).toBe('look_up');
    const { queue } = lookUp(pressed, { state: 'absent' }, 3 * SECOND);
    expect(nextStep(queue, at(4 * SECOND), THERE)).toMatchObject({ kind: 'wait', until: NOW + 15 * SECOND });
    expect(nextStep(queue, at(15 * SECOND), THERE).kind).toBe('look_up');
    const settled = lookUp(queue, { state: 'absent' }, 15 * SECOND).queue;
    expect(nextStep(settled, at(16 * SECOND), { ...THERE, reachedAt: NOW + 16 * SECOND }).kind).toBe('resend');
  });

  test('does not wait longer for its look-up if the clock is set back', () => {
    const queue = unanswered(KUTT);
    const corrected = correctTimes(queue, at(-DAY)).attempts[0];
    expect(corrected?.lookUpAt).toBeLessThanOrEqual(NOW - DAY + 5 * 60 * SECOND);
  });

  test('is looked up too if its background worker was killed', () => {
    const started = startAttempt(aQueue({ connection: KUTT, requests: [coded('a')] }), ['a'], 'attempt', at());
    const queue = recover(started, at(SECOND));
    expect(statesOf(queue)).toEqual(['a unknown']);
    expect(nextStep(queue, at(16 * SECOND), THERE).kind).toBe('look_up');
  });

  test('becomes a link if the look-up finds its link', () => {
    const { queue, links } = lookUp(unanswered(KUTT), { state: 'found', shortUrl: 'https://s.example/codea' });
    expect(links).toMatchObject([{ id: 'a', shortCode: 'codea' }]);
    expect(queue).toMatchObject({ attempts: [], requests: [] });
  });

  test('is not repeated while the look-up gives no clear answer', () => {
    const { queue } = lookUp(unanswered(KUTT), { state: 'unknown' }, 20 * SECOND);
    expect(nextStep(queue, at(21 * SECOND), THERE)).toMatchObject({ kind: 'wait', until: NOW + 35 * SECOND });
    expect(nextStep(queue, at(80 * SECOND), THERE).kind).toBe('look_up');
  });

  test('fails if its code belongs to another link', () => {
    const { queue } = lookUp(unanswered(KUTT), { state: 'taken' });
    expect(queue.attempts).toEqual([]);
    expect(queue.requests).toMatchObject([{ state: 'failed', problem: { code: 'generated_code_taken' } }]);
  });

  test('fails if the code that the user chose belongs to another link', () => {
    const options = { shortCode: 'mine', title: null, expiresAt: null };
    const { queue } = lookUp(unanswered(KUTT, aRequest('a', { options })), { state: 'taken' });
    expect(queue.requests).toMatchObject([{ state: 'failed', problem: { code: 'short_code_taken' } }]);
  });
});

test.each([
  ['kutt', 'probe'],
  ['yourls', 'send'],
] as const)('the first step of a queue at %s is a %s', (kind, expected) => {
  // The browser itself repeats a POST on a connection that was open before, and Kutt would create a second link.
  const queue = aQueue({ connection: connectionTo(kind), requests: [coded('a')] });
  expect(nextStep(queue, at(), { online: true, reachedAt: null }).kind).toBe(expected);
  expect(nextStep(queue, at(), THERE).kind).toBe('send');
});

describe('a generated code', () => {
  test('is replaced by another one if it is taken and the user tries again, because the server never chooses', () => {
    const started = startAttempt(
      aQueue({ connection: connectionTo('yourls'), requests: [coded('a')] }),
      ['a'],
      'attempt',
      at(),
    );
    const [attempt] = started.attempts;
    if (!attempt) throw new Error('The attempt was not started.');
    const { queue } = applyResult(started, attempt, answered([refused('short_code_taken')]), at(), 0.5);
    expect(queue.requests).toMatchObject([{ state: 'failed', problem: { code: 'generated_code_taken' } }]);
    const again = retry(queue, 'a', MINTING).requests;
    expect(again).toMatchObject([{ state: 'waiting', generatedCode: 'aaaaaaaaaa', idempotencyKey: 'minted-key' }]);
  });

  test('is added to a request that was accepted before the server was known', () => {
    const queue = aQueue({ connection: connectionTo('sink'), requests: [aRequest('a'), aRequest('b')] });
    const [first, second] = withNeededCodes(queue, ['a'], MINTING.randomBytes).requests;
    expect([first?.generatedCode, second?.generatedCode]).toEqual(['aaaaaaaaaa', undefined]);
    const specification = { ...queue, connection: specOnly };
    expect(withNeededCodes(specification, ['a'], MINTING.randomBytes)).toBe(specification);
  });
});

describe('the short URL', () => {
  test('is shown in advance when the base address of short URLs is known', () => {
    const unknown = connectionTo('kutt', { service: { ...SERVICE, shortBaseUrl: '' } });
    expect(promisedShortUrl(coded('a'), unknown)).toBeNull();
    const started = startAttempt(aQueue({ connection: unknown, requests: [coded('a')] }), ['a'], 'attempt', at());
    const [attempt] = started.attempts;
    if (!attempt) throw new Error('The attempt was not started.');
    const made = answered([created('https://go.example/x/codea')]);
    const { connection } = applyResult(started, attempt, made, at(), 0.5).queue;
    expect(promisedShortUrl(coded('b'), connection)).toBe('https://go.example/x/codeb');
    // A later probe that finds no base address keeps the known one.
    const probed = applyProbe(aQueue({ connection }), well({ service: { ...SERVICE, shortBaseUrl: '' } }), at(), 0.5);
    expect(promisedShortUrl(coded('b'), probed.connection)).toBe('https://go.example/x/codeb');
  });

  test('is not shown in advance for a domain without a known base address', () => {
    expect(promisedShortUrl(coded('a'), { ...KUTT, domain: 'other.example' })).toBeNull();
    expect(promisedShortUrl(coded('a'), { ...KUTT, domain: 's.example' })).toBe('https://s.example/codea');
  });

  test('is not shown in advance on a server that may answer with an older link', () => {
    expect(promisedShortUrl(coded('a'), connectionTo('yourls'))).toBeNull();
  });

  test('is learned for each domain, and kept if a later probe finds only the names of the domains', () => {
    const named = (name: string, shortBaseUrl = '') => ({ name, shortBaseUrl });
    const domains = [named('s.example', 'https://s.example'), named('x.example')];
    const unknown = connectionTo('kutt', { service: { ...SERVICE, domains }, domain: 'x.example' });
    const started = startAttempt(aQueue({ connection: unknown, requests: [coded('a')] }), ['a'], 'attempt', at());
    const [attempt] = started.attempts;
    if (!attempt) throw new Error('The attempt was not started.');
    const made = answered([created('https://x.example/codea')]);
    const { queue } = applyResult(started, attempt, made, at(), 0.5);
    const learned = [named('s.example', 'https://s.example'), named('x.example', 'https://x.example')];
    expect(queue.connection.service?.domains).toEqual(learned);
    const found = [named('s.example', 'https://s.example'), named('x.example'), named('y.example')];
    const probed = applyProbe(queue, well({ service: { ...SERVICE, domains: found } }), at(), 0.5);
    expect(probed.connection.service?.domains).toEqual([...learned, named('y.example')]);
    const odd = applyResult(started, attempt, answered([created('https://x.example/?go')]), at(), 0.5);
    expect(odd.queue.connection.service?.domains).toEqual(domains);
  });

  test('is not learned from a link on a domain that the connection no longer has', () => {
    const unknown = connectionTo('kutt', { service: { ...SERVICE, shortBaseUrl: '' }, domain: 'x.example' });
    const started = startAttempt(aQueue({ connection: unknown, requests: [coded('a')] }), ['a'], 'attempt', at());
    const [attempt] = started.attempts;
    if (!attempt) throw new Error('The attempt was not started.');
    const { domain: _, ...onDefault } = unknown;
    const made = answered([created('https://x.example/codea')]);
    const { connection } = applyResult({ ...started, connection: onDefault }, attempt, made, at(), 0.5).queue;
    expect(promisedShortUrl(coded('b'), connection)).toBeNull();
    const same = applyResult(started, attempt, made, at(), 0.5).queue.connection;
    expect(promisedShortUrl(coded('b'), same)).toBe('https://x.example/codeb');
  });
});

describe('the limits of a server that reports no limits', () => {
  test('are the limits that the user set, or else unlimited', () => {
    const { limits } = newQueue(KUTT);
    expect([limits.gapMs, isUnlimited(limits.perDay)]).toEqual([0, true]);
    const own = newQueue({ ...KUTT, limits: { perSecond: 0.5, perDay: 7 } }).limits;
    expect([own.gapMs, own.perDay]).toEqual([2_000, 7]);
    expect(newQueue(specOnly).limits).toEqual(newLimits());
  });

  test('a probe does not replace the kind that the user chose', () => {
    const queue = aQueue({ connection: connectionTo('yourls', { isKindChosen: true }) });
    const probed = applyProbe(queue, well({ kind: 'kutt', service: SERVICE }), at(), 0.5);
    expect(probed.connection.kind).toBe('yourls');
  });

  test('apply as soon as a probe has found the kind of the server', () => {
    const queue = newQueue({ ...specOnly, serviceReadAt: null });
    const probed = applyProbe(queue, well({ kind: 'kutt', service: SERVICE, key: 'accepted' }), at(), 0.5);
    expect(probed.connection).toMatchObject({ kind: 'kutt', service: SERVICE });
    expect(isUnlimited(probed.limits.perDay)).toBe(true);
    expect(withOwnLimits(probed.limits, specOnly)).toMatchObject({ gapMs: 1_000, perDay: 20 });
  });
});
