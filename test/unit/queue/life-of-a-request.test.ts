import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Request } from '../../../src/queue/types.ts';
import { runs } from '../support/runs.ts';
import { ModelService } from './model-service.ts';
import { type Weather, World } from './model-world.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

const duration = fc.oneof(
  fc.integer({ min: 1, max: 3 * SECOND }),
  fc.integer({ min: SECOND, max: 2 * HOUR }),
  fc.integer({ min: HOUR, max: 3 * DAY }),
);
const jump = fc.oneof(
  fc.constantFrom(-HOUR, HOUR), // a clock that keeps local time, at the ends of daylight saving
  fc.integer({ min: -5 * DAY, max: 5 * DAY }),
  fc.integer({ min: -10 * SECOND, max: 10 * SECOND }),
);
const weather = fc.constantFrom<Weather>(
  'fair',
  'fair',
  'busy',
  'bad-gateway',
  'no-key',
  'lost-before',
  'lost-after',
  'killed-before',
  'killed-after',
);
const eventIn = (weather: fc.Arbitrary<Weather>) =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('accept' as const), count: fc.integer({ min: 1, max: 9 }) }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: duration }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('weather' as const), weather }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), ms: duration }) },
    // Setting a clock and starting a browser again takes longer than the second that pacing is about.
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('jump' as const), by: jump, ms: fc.nat(DAY).map((ms) => ms + SECOND) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('online' as const), online: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constantFrom({ kind: 'resume' as const }, { kind: 'mend' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('retry' as const), pick: fc.nat() }) },
  );
// Without a size, arrays stay at a tenth of what they may be, and no quota is ever spent.
const historyIn = (weather: fc.Arbitrary<Weather>) => fc.array(eventIn(weather), { maxLength: 60, size: 'max' });
const history = historyIn(weather);
/** With answers besides that nobody can read: the person is left to decide what is to become of their requests. */
const anyHistory = historyIn(fc.oneof({ weight: 8, arbitrary: weather }, fc.constant<Weather>('nonsense')));
type Event = ReturnType<typeof eventIn> extends fc.Arbitrary<infer T> ? T : never;

function play(world: World, events: Event[]): void {
  for (const step of events) {
    const pick = () =>
      [...world.accepted][('pick' in step ? step.pick : 0) % Math.max(1, world.accepted.size)] ?? 'none';
    if (step.kind === 'accept') for (let n = 0; n < step.count; n += 1) world.accept(`r${world.accepted.size}`);
    else if (step.kind === 'pass') world.pass(step.ms);
    else if (step.kind === 'weather') world.weather = step.weather;
    else if (step.kind === 'restart') world.restart(step.ms);
    else if (step.kind === 'online') world.setOnline(step.online);
    else if (step.kind === 'resume') world.resume();
    else if (step.kind === 'mend') world.mend();
    else if (step.kind === 'cancel') world.cancel(pick());
    else if (step.kind === 'retry') world.retry(pick());
    else {
      world.clockError += step.by;
      world.restart(step.ms);
    }
  }
}

/** The most arrivals any stretch of `ms` holds. */
function densest(arrivals: { at: number }[], ms: number): number {
  return Math.max(
    0,
    ...arrivals.map(({ at }) => arrivals.filter((other) => other.at >= at && other.at < at + ms).length),
  );
}

function perUtcDay(arrivals: { at: number }[]): number {
  const days = Map.groupBy(arrivals, ({ at }) => Math.floor(at / DAY));
  return Math.max(0, ...[...days.values()].map((day) => day.length));
}

function closest(arrivals: { at: number }[]): number {
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? 0)),
  );
}

describe.each(['spec-only', 'full', 'batching'] as const)('with a %s service, whatever happens', (kind) => {
  const check = (holds: (world: World) => void) =>
    fc.assert(
      fc.property(anyHistory, fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (events, chances) => {
        const world = new World(new ModelService(kind, 20), () => chances.next().value as number);
        play(world, events);
        holds(world);
      }),
      runs(),
    );

  test('nothing accepted vanishes', () => {
    check((world) => {
      for (const id of world.accepted) {
        const kept = world.snapshot.requests.filter((request) => request.id === id).length;
        const ends = kept + (world.done.has(id) ? 1 : 0) + (world.givenUp.has(id) ? 1 : 0);
        expect(ends, id).toBe(1);
      }
    });
  });

  test('the service never sees more than the quota', () => {
    check((world) => {
      const { arrivals } = world.service;
      const most = kind === 'spec-only' ? densest(arrivals, 25 * HOUR) : perUtcDay(arrivals);
      expect(most).toBeLessThanOrEqual(20);
    });
  });

  test('the service never sees two requests within a second', () => {
    check((world) => expect(closest(world.service.arrivals)).toBeGreaterThanOrEqual(SECOND));
  });

  test('in fair weather everything that waits is done in the end', () => {
    check((world) => {
      world.weather = 'fair';
      world.setOnline(true);
      world.mend();
      // Unwound: the clock may be days wrong, and the quota is 20 a day.
      for (let day = 0; day < 40; day += 1) world.pass(DAY);
      const left = world.snapshot.requests.filter(({ state }) => state !== 'failed');
      const undecided = ({ state, problem }: Request) =>
        state === 'unknown' && (kind === 'spec-only' || problem?.code === 'not_understood');
      expect(left.filter((request) => !undecided(request))).toEqual([]);
    });
  });
});

test('a service without idempotency is never asked twice for what it may have created, unless the person says so', () => {
  fc.assert(
    fc.property(history, (events) => {
      const world = new World(new ModelService('spec-only', 1_000), () => 0.5);
      play(world, events);
      for (const [url, made] of Map.groupBy(world.service.links, (link) => link.url)) {
        const id = url.split('/').pop() ?? '';
        expect(made.length, id).toBeLessThanOrEqual(1 + (world.retries.get(id) ?? 0));
      }
    }),
    runs(),
  );
});

describe.each([
  ['full', anyHistory],
  // A request that was in a batch has a key of its own: tried again by the person, it may be made again.
  ['batching', history],
] as const)('a %s service makes', (kind, history) => {
  test('one link a request, however often the answer is lost', () => {
    fc.assert(
      fc.property(history, (events) => {
        const world = new World(new ModelService(kind, 20), () => 0.5);
        play(world, events);
        const urls = Map.groupBy(world.service.links, (link) => link.url);
        for (const [url, made] of urls) expect(made.length, url).toBe(1);
        const keys = Map.groupBy(world.service.arrivals, (arrival) => arrival.key);
        for (const [key, arrivals] of keys) expect(new Set(arrivals.map(({ body }) => body)).size, key).toBe(1);
      }),
      runs(),
    );
  });
});
