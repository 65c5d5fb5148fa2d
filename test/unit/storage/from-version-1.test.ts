import { describe, expect, test } from 'vitest';
import type { Version1 } from '../../../src/storage/migrations/0001-first-schema.ts';
import { fromVersion1 } from '../../../src/storage/migrations/0002-one-queue-per-connection.ts';
import { NOW, SECOND } from '../queue/support/queue-builders.ts';

/*
 * Version 1 states that are hard to create in a browser. The file migration.test.ts tests states that were recorded
 * with version 0.1.0.
 */

type Request = Version1['requests'][number];
type State = NonNullable<Version1['queue']>;

const specOnly: Version1['connection'] = { id: 'c', baseUrl: 'https://a.example', lastFour: 'abcd', service: null };
const idempotent: Version1['connection'] = {
  ...specOnly,
  service: { name: 'Full', shortBaseUrl: 'https://s.example', features: ['idempotency'] },
};
const attempt: NonNullable<State['attempt']> = {
  connectionId: 'c',
  idempotencyKey: 'key',
  requestIds: ['a', 'b'],
  path: '/api/v1/urls/batch',
  body: '{"urls":[]}',
  firstSentAt: NOW,
  private: false,
  inFlight: false,
};
const state: State = { attempt: null, lastEndedAt: null, pause: null, failures: 0, halt: null, lastSeen: NOW };
const storedQuota: Version1['quotas'][number] = {
  connectionId: 'c',
  gapMs: 1_000,
  quota: { limit: 20, windowMs: 86_400_000 },
  told: null,
  sends: [],
  evidence: null,
};

function aRequest(id: string, part: Partial<Request> = {}): Request {
  return {
    id,
    url: `https://x.example/${id}`,
    title: '',
    state: 'unknown',
    createdAt: NOW,
    idempotencyKey: `key-${id}`,
    attempts: 1,
    problem: { code: 'no_answer', message: '' },
    private: false,
    ...part,
  };
}

/** Converts data of version 1. By default, the data contains two requests. */
function convert(part: Partial<Version1>) {
  const requests = [aRequest('a'), aRequest('b')];
  const old = { connection: idempotent, apiKey: 'key', queue: state, quotas: [], requests, links: [], ...part };
  return fromVersion1(old, 'attempt');
}

const statesOf = ({ requests }: ReturnType<typeof convert>) => requests.map(({ state }) => state);

describe('an attempt from version 1', () => {
  test('that can be repeated stays open, with the number of sends of its requests', () => {
    const requests = [aRequest('a', { attempts: 3 }), aRequest('b', { attempts: 2 }), aRequest('c', { attempts: 9 })];
    const converted = convert({ queue: { ...state, attempt: { ...attempt, misread: 2 } }, requests });
    const { firstSentAt, ...kept } = attempt;
    expect(converted.attempt).toEqual({
      ...kept,
      id: 'attempt',
      firstSend: { atService: NOW, confirmed: false },
      sends: 3,
      suspect: false,
      parks: 0,
      parkedUntil: null,
    });
    expect(statesOf(converted)).toEqual(['unanswered', 'unanswered', 'undecided']);
  });

  test('gets the service’s time for its first send, if that time is known', () => {
    const evidence = { local: NOW + 5 * SECOND, service: NOW - 60 * SECOND, lifetime: 'life' };
    const converted = convert({ queue: { ...state, attempt }, quotas: [{ ...storedQuota, evidence }] });
    expect(converted.attempt?.firstSend).toEqual({ atService: NOW - 65 * SECOND, confirmed: false });
  });

  test('to a service without idempotency keys is left to the user', () => {
    const converted = convert({ connection: specOnly, queue: { ...state, attempt } });
    expect(converted.attempt).toBeNull();
    expect(statesOf(converted)).toEqual(['undecided', 'undecided']);
  });

  test('in flight stays open until recovery ends it', () => {
    const requests = [aRequest('a', { state: 'sending' }), aRequest('b', { state: 'sending' })];
    const converted = convert({
      connection: specOnly,
      queue: { ...state, attempt: { ...attempt, inFlight: true } },
      requests,
    });
    expect(converted.attempt).toMatchObject({ inFlight: true, sends: 1 });
    expect(statesOf(converted)).toEqual(['sending', 'sending']);
  });

  test.each([
    ['another connection', { queue: { ...state, attempt: { ...attempt, connectionId: 'old', inFlight: true } } }],
    ['a deleted connection', { connection: null, queue: { ...state, attempt: { ...attempt, inFlight: true } } }],
  ])('in flight to %s is left to the user', (_to, part) => {
    const converted = convert({ ...part, requests: [aRequest('a', { state: 'sending', problem: null })] });
    expect(converted.attempt).toBeNull();
    expect(converted.requests).toMatchObject([{ state: 'undecided', problem: { code: 'interrupted' } }]);
  });
});

describe('a request from version 1', () => {
  test('gets the same new fields as a request from the menu', () => {
    const { requests } = convert({ requests: [aRequest('a', { state: 'waiting', attempts: 0, problem: null })] });
    expect(requests).toEqual([
      {
        ...aRequest('a', { state: 'waiting', attempts: 0, problem: null }),
        connectionId: 'c',
        groupId: null,
        options: { shortCode: null, title: null, expiresAt: null },
        sends: [],
        alone: false,
        source: 'background',
      },
    ]);
  });

  test('that was already sent is sent alone from now on', () => {
    const { requests } = convert({ requests: [aRequest('a', { state: 'waiting', attempts: 1 })] });
    expect(requests).toMatchObject([{ alone: true, attempts: 1 }]);
  });

  test('belongs to no connection if there is none', () => {
    expect(convert({ connection: null }).requests).toMatchObject([{ connectionId: null }, { connectionId: null }]);
  });
});

describe('a queue from version 1', () => {
  test("keeps its delay and the delay's reason", () => {
    const pause = { until: NOW, reason: 'quota' as const, told: true };
    expect(convert({ queue: { ...state, pause } }).queue?.state.pause).toEqual({
      until: NOW,
      reason: 'quota',
      named: true,
    });
    const guess = { until: NOW, reason: 'busy' as const };
    expect(convert({ queue: { ...state, pause: guess } }).queue?.state.pause).toMatchObject({ named: false });
  });

  test('keeps only the quota of its connection', () => {
    const spent = { ...storedQuota, gapMs: 5, told: { remaining: 1, resetAtService: NOW, windowMs: 9 } };
    const evidence = { local: 1, service: 2, lifetime: 'life' };
    const { queue } = convert({
      quotas: [
        { ...storedQuota, connectionId: 'b', gapMs: 1 },
        { ...spent, evidence },
      ],
    });
    expect(queue?.budget).toEqual({
      gapMs: 5,
      quota: storedQuota.quota,
      reported: spent.told,
      sends: [],
      clockSample: { local: 1, service: 2, workerId: 'life' },
    });
  });

  test('exists for a connection that was never used', () => {
    const { connection, queue } = convert({ queue: null, requests: [] });
    expect(connection).toMatchObject({ id: 'c', name: '', preferredAt: 1 });
    expect(queue).toMatchObject({ connectionId: 'c', state: { halt: null, latestTime: 0 }, budget: { sends: [] } });
  });
});

test.each([
  ['https://s.example/abc', 'abc'],
  ['https://s.example/go/abc?x=1', 'abc'],
  ['https://s.example/', ''],
  ['nonsense', ''],
])('the short code of %s is %j', (shortUrl, shortCode) => {
  const link = { id: 'l', url: 'https://x.example/', title: '', shortUrl, createdAt: NOW, private: false };
  expect(convert({ links: [link] }).links).toEqual([
    { ...link, connectionId: 'c', groupId: null, shortCode, expiresAt: null },
  ]);
});
