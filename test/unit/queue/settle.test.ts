import { describe, expect, test } from 'vitest';
import { settle } from '../../../src/queue/settle.ts';
import type { Snapshot } from '../../../src/queue/types.ts';
import {
  answered,
  aRequest,
  aSnapshot,
  at,
  created,
  forNow,
  fullService,
  lost,
  refused,
  sending,
  unclear,
} from './given.ts';

const CHANCE = 0.5;

const settled = (snapshot: Snapshot, outcome: Parameters<typeof settle>[1]) =>
  settle(snapshot, outcome, at(80), CHANCE);
const states = ({ requests }: Snapshot) => requests.map(({ id, state }) => `${id} ${state}`);

describe('one request', () => {
  test('that was created becomes a link and is no request any more', () => {
    const { snapshot, links } = settled(sending(['a']), answered([created('https://s.example/1')]));
    expect(snapshot.requests).toEqual([]);
    expect(links).toEqual([
      {
        id: 'a',
        url: 'https://x.example/a',
        title: 'Page a',
        shortUrl: 'https://s.example/1',
        createdAt: at(80).now,
        private: false,
      },
    ]);
  });

  test('of a private window becomes a private link', () => {
    const before = sending(['a']);
    const requests = before.requests.map((request) => ({ ...request, private: true }));
    expect(settled({ ...before, requests }, answered([created()])).links[0]?.private).toBe(true);
  });

  test.each([
    ['refused for good is failed', answered([refused('invalid_url')]), 'failed', 'invalid_url', 'No.'],
    ['refused for now waits', answered([forNow('throttled', 3)]), 'waiting', 'throttled', 'Later.'],
    ['answered with nonsense is unknown', answered([unclear('not_understood')]), 'unknown', 'not_understood', ''],
    ['not answered is unknown', lost(), 'unknown', 'no_answer', ''],
  ])('that was %s, and says why', (_name, outcome, state, code, message) => {
    const { snapshot, links } = settled(sending(['a']), outcome);
    expect(snapshot.requests).toMatchObject([{ id: 'a', state, problem: { code, message } }]);
    expect(links).toEqual([]);
  });
});

describe('a batch', () => {
  const mixed = answered([created(), refused('invalid_url'), forNow('busy'), unclear('server_error')]);

  test('gives each request its own end', () => {
    const { snapshot, links } = settled(sending(['a', 'b', 'c', 'd']), mixed);
    expect(links.map(({ id }) => id)).toEqual(['a']);
    expect(states(snapshot)).toEqual(['b failed', 'c waiting', 'd unknown']);
  });

  test('leaves a request unknown that the answer leaves out', () => {
    const { snapshot } = settled(sending(['a', 'b']), answered([created()]));
    expect(snapshot.requests).toMatchObject([{ id: 'b', state: 'unknown', problem: { code: 'not_understood' } }]);
  });

  test('touches no request that is not of it', () => {
    const others = [aRequest('w'), aRequest('f', { state: 'failed' }), aRequest('u', { state: 'unknown' })];
    expect(settled(sending(['a'], { requests: others }), answered([created()])).snapshot.requests).toEqual(others);
  });

  test('gives no link to a request that was given up in the meantime', () => {
    const before = sending(['a', 'b']);
    const { snapshot, links } = settled(
      { ...before, requests: before.requests.slice(1) },
      answered([created('https://s.example/a'), created('https://s.example/b')]),
    );
    expect(links.map(({ id, shortUrl }) => `${id} ${shortUrl}`)).toEqual(['b https://s.example/b']);
    expect(snapshot.requests).toEqual([]);
  });
});

describe.each(['unauthorized', 'not_a_service', 'redirected'] as const)('%s', (code) => {
  const ids = ['a', 'b', 'c'];
  const all = (item = refused(code)) => answered(ids.map(() => item));

  test('is the fault of no request in a batch: they wait, and may share again, all but the first', () => {
    const { snapshot } = settled(sending(ids, { connection: fullService() }), all());
    expect(snapshot.queue).toMatchObject({ halt: code, attempt: null });
    expect(snapshot.requests).toMatchObject([
      { id: 'a', state: 'waiting', attempts: 1, problem: { code } },
      { id: 'b', state: 'waiting', attempts: 0 },
      { id: 'c', state: 'waiting', attempts: 0 },
    ]);
  });

  test('fails a request that went alone, so that whatever is wrong with it stands in nobody’s way', () => {
    const { snapshot } = settled(sending(['a']), answered([refused(code)]));
    expect(snapshot.requests).toMatchObject([{ state: 'failed', problem: { code } }]);
  });

  test.each([
    ['alone', ['a']],
    ['as a batch', ids],
  ])('says nothing of an earlier send without an answer (%s): the attempt stays open', (_name, ids) => {
    const problem = { code: 'no_answer' as const, message: '' };
    const before = sending(ids, { connection: fullService() });
    const requests = before.requests.map((request) => ({ ...request, attempts: 2, problem }));
    const { snapshot } = settled({ ...before, requests }, answered(ids.map(() => refused(code))));
    expect(snapshot.queue).toMatchObject({ halt: code, attempt: { requestIds: ids, inFlight: false } });
    expect(snapshot.requests).toEqual(requests.map((request) => ({ ...request, state: 'unknown' })));
  });

  test('fails the first of a batch, where it is refused alone as well', () => {
    const before = sending(['a'], { connection: fullService() });
    const requests = before.requests.map((request) => ({ ...request, attempts: 2, problem: { code, message: '' } }));
    const { snapshot } = settled({ ...before, requests }, answered([refused(code)]));
    expect(snapshot.requests).toMatchObject([{ state: 'failed' }]);
    expect(snapshot.queue.attempt).toBeNull();
  });
});

describe('the attempt', () => {
  const later = answered([forNow('busy')], { conclusive: false });

  test('ends with the answer, and pacing counts from there', () => {
    const { queue } = settled(sending(['a']), answered([created()])).snapshot;
    expect(queue.attempt).toBeNull();
    expect(queue.lastEndedAt).toBe(at(80).now);
  });

  test.each([
    ['no answer', lost()],
    ['an answer that judged nothing', later],
  ])('stays open after %s where the service honours keys, and there alone', (_name, outcome) => {
    const attempt = sending(['a']).queue.attempt;
    expect(settled(sending(['a'], { connection: fullService() }), outcome).snapshot.queue.attempt).toEqual({
      ...attempt,
      inFlight: false,
    });
    expect(settled(sending(['a']), outcome).snapshot.queue.attempt).toBeNull();
  });

  test('that is answered with nonsense for the third time is given up: the person decides, and the rest goes on', () => {
    const nonsense = answered([unclear('not_understood')], { conclusive: false });
    const rest = { connection: fullService(), requests: [aRequest('b')] };
    const [first, second, third] = [undefined, 1, 2].map(
      (misread) => settled(sending(['a'], { ...rest, attempt: misread ? { misread } : {} }), nonsense).snapshot,
    );
    expect(first?.queue.attempt).toMatchObject({ inFlight: false, misread: 1 });
    expect(second?.queue.attempt).toMatchObject({ inFlight: false, misread: 2 });
    expect(third?.queue.attempt).toBeNull();
    expect(third?.requests).toMatchObject([
      { id: 'a', state: 'unknown' },
      { id: 'b', state: 'waiting' },
    ]);
  });

  test.each([
    ['no answer', lost()],
    ['a busy service', later],
  ])('is not given up for %s', (_name, outcome) => {
    const { queue } = settled(sending(['a'], { connection: fullService(), attempt: { misread: 2 } }), outcome).snapshot;
    expect(queue.attempt).toMatchObject({ inFlight: false, misread: 2 });
  });

  test('is over once the service has judged it, for later too', () => {
    const before = sending(['a', 'b'], { connection: fullService() });
    expect(settled(before, answered([created(), forNow('busy')])).snapshot.queue.attempt).toBeNull();
  });

  test('that is none changes nothing', () => {
    const snapshot = aSnapshot({ requests: [aRequest('a')] });
    expect(settled(snapshot, lost())).toEqual({ snapshot, links: [] });
  });
});

describe('with another connection in place meanwhile', () => {
  test('a batch that an earlier send may have made is not sent to the new one by itself', () => {
    const before = sending(['a', 'b'], { connection: fullService(), attempt: { connectionId: 'old' } });
    const requests = before.requests.map((request) => ({ ...request, attempts: 2 }));
    const outcome = answered([refused('unauthorized'), refused('unauthorized')]);
    expect(states(settled({ ...before, requests }, outcome).snapshot)).toEqual(['a unknown', 'b unknown']);
  });

  const elsewhere = { attempt: { connectionId: 'old' } };
  const pause = { until: at().now + 9, reason: 'busy' as const };

  test('a link is a link all the same', () => {
    expect(settled(sending(['a'], elsewhere), answered([created()])).links).toHaveLength(1);
  });

  test('no answer can be asked for again: the person decides', () => {
    const { queue, requests } = settled(sending(['a'], { ...elsewhere, connection: fullService() }), lost()).snapshot;
    expect(queue.attempt).toBeNull();
    expect(requests[0]?.state).toBe('unknown');
  });

  test('what the old service said of budget, pauses and keys is not held against the new one', () => {
    const before = sending(['a'], { ...elsewhere, queue: { pause, failures: 2, halt: null } });
    const outcome = answered([refused('unauthorized')], { date: 5 });
    const { queue, budget } = settled(before, outcome).snapshot;
    expect(queue).toMatchObject({ pause, failures: 2, halt: null });
    expect(budget).toBe(before.budget);
  });

  test('or none, what was sent still ends', () => {
    const { snapshot } = settled(sending(['a'], { connection: null, budget: null }), answered([created()]));
    expect(snapshot.requests).toEqual([]);
    expect(snapshot.budget).toBeNull();
  });
});
