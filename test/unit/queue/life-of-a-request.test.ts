import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PATIENCE, runs } from '../support/runs.ts';
import { aWorld, chances, fairWeather, history, kinds, play } from './model/history.ts';
import { type Kind, type ModelService, POISONS, type Received } from './model/service.ts';
import type { World } from './model/world.ts';
import { DAY, HOUR, MINUTE, SECOND } from './support/queue-builders.ts';

/** Returns the maximum number of sends within any `ms` milliseconds. */
function densest(moments: number[], ms: number): number {
  return Math.max(0, ...moments.map((at) => moments.filter((other) => other >= at && other < at + ms).length));
}

function perUtcDay(moments: number[]): number {
  const days = Map.groupBy(moments, (at) => Math.floor(at / DAY));
  return Math.max(0, ...[...days.values()].map((day) => day.length));
}

function closest(moments: number[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...moments.slice(1).map((at, index) => at - (moments[index] ?? 0)));
}

function momentsByKey({ received }: ModelService): number[][] {
  return [...Map.groupBy(received, ({ apiKey }) => apiKey).values()].map((used) => used.map(({ at }) => at));
}

function idOf(url: string): string {
  return url.split('/').pop() ?? '';
}

/** Properties of every world after random events. The last one continues the simulation without faults. */
const PROMISES: Record<string, (world: World) => void> = {
  'no accepted request is lost or duplicated': ({ queues, chronicle }) => {
    const kept = [...queues.values()].flatMap(({ requests }) => requests).map(({ id }) => id);
    for (const id of chronicle.accepted) {
      const ends = kept.filter((one) => one === id).length + (chronicle.done.has(id) ? 1 : 0);
      expect(ends, id).toBeLessThanOrEqual(1);
      if (!chronicle.givenUp.has(id)) expect(ends, id).toBe(1);
    }
  },
  'no service receives more than the quota of a key, unless a clock was set': ({ services, chronicle }) => {
    if (chronicle.isClockSet) return;
    for (const service of services) {
      for (const moments of momentsByKey(service)) {
        const most = service.kind === 'spec-only' ? densest(moments, 25 * HOUR) : perUtcDay(moments);
        expect(most, service.kind).toBeLessThanOrEqual(service.quota);
      }
    }
  },
  'no service receives two requests of a key within a second, unless a clock was set': ({ services, chronicle }) => {
    if (chronicle.isClockSet) return;
    for (const moments of services.flatMap(momentsByKey)) expect(closest(moments)).toBeGreaterThanOrEqual(SECOND);
  },
  'no request is charged more than three times in 24 hours, unless the user retries or sets the clock': ({
    chronicle,
  }) => {
    if (chronicle.isClockSet) return;
    for (const [share, moments] of chronicle.charges) expect(densest(moments, DAY), share).toBeLessThanOrEqual(3);
  },
  'an attempt without a response is sent at most six times': ({ chronicle }) => {
    for (const [id, count] of chronicle.unclear) expect(count, id).toBeLessThanOrEqual(6);
  },
  'a key and its requests are only sent to their own service': ({ services }) => {
    for (const { baseUrl, received } of services) {
      expect(received.filter(({ apiKey }) => !apiKey.startsWith(`${baseUrl} `))).toEqual([]);
    }
  },
  'all requests with one idempotency key have the same bytes': ({ services }) => {
    const sameBytes = (received: Received[]) => new Set(received.map(({ body }) => body)).size === 1;
    for (const { received } of services) {
      for (const [key, sent] of Map.groupBy(received, (arrival) => arrival.key)) {
        expect(sameBytes(sent), key).toBe(true);
      }
    }
  },
  'no service creates a second link for a request, unless the user retries': ({ services, chronicle }) => {
    for (const { links } of services) {
      for (const [url, made] of Map.groupBy(links, (link) => link.url)) {
        expect(made.length, url).toBeLessThanOrEqual(1 + (chronicle.asks.get(idOf(url)) ?? 0));
      }
    }
  },
  'no change of a queue breaks a promise': ({ chronicle }) => {
    expect([...chronicle.breaches]).toEqual([]);
  },
  'without faults every waiting request is done, failed, or uncertain for a documented reason': (world) => {
    fairWeather(world);
    const left = [...world.queues.values()].flatMap(({ requests }) => requests);
    // A busy service delays a request forever, so these requests never end.
    const ended = left.filter(({ url }) => !url.includes('busy'));
    expect(ended.filter(({ state }) => state !== 'failed' && state !== 'uncertain')).toEqual([]);
    expect(ended.filter(({ problem }) => problem === null)).toEqual([]);
    expect([...world.chronicle.breaches]).toEqual([]);
  },
};

test('all promises to the user hold after any random history', { timeout: PATIENCE }, () => {
  const seen = { charges: 0, withoutResponse: 0 };
  fc.assert(
    fc.property(kinds, history, chances, (among, events, drawn) => {
      const world = play(aWorld(drawn, among), events);
      seen.charges += world.chronicle.charges.size;
      seen.withoutResponse += [...world.chronicle.unclear.values()].filter((count) => count > 0).length;
      for (const [promise, check] of Object.entries(PROMISES)) {
        try {
          check(world);
        } catch (error) {
          throw new Error(`A promise was broken: ${promise}`, { cause: error });
        }
      }
    }),
    runs(),
  );
  expect(seen.charges).toBeGreaterThan(0);
  expect(seen.withoutResponse).toBeGreaterThan(0);
});

describe.each<Kind>(['full', 'batching'])('a %s service', { timeout: PATIENCE }, (kind) => {
  test('receives every lost request again until it is done, and nothing is left to the user', () => {
    const losses = fc.array(fc.constantFrom('lost-before', 'lost-after', 'killed-before', 'killed-after', 'down'), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(losses, fc.integer({ min: 1, max: 12 }), chances, (weathers, count, drawn) => {
        const world = aWorld(drawn, [kind]);
        const [service] = world.services;
        const [id] = world.queues.keys();
        if (!service || !id) throw new Error('The world has no service or no queue.');
        for (let n = 0; n < count; n += 1) world.accept(id, `r${10 * n}`);
        for (const weather of weathers) {
          service.weather = weather as ModelService['weather'];
          world.pass(5 * SECOND);
        }
        fairWeather(world);
        const states = [...world.queues.values()].flatMap(({ requests }) => requests.map(({ state }) => state));
        expect(states.filter((state) => state !== 'failed')).toEqual([]);
      }),
      runs(),
    );
  });
});

describe('no request blocks the others', { timeout: PATIENCE }, () => {
  // A busy service delays the whole queue, so the test leaves out its requests.
  const names = POISONS.filter((name) => name !== 'busy');
  const poisons = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 2 });

  test.each<Kind>(['spec-only', 'full', 'batching'])('at a %s service', (kind) => {
    fc.assert(
      fc.property(poisons, fc.integer({ min: 1, max: 8 }), chances, (names, count, drawn) => {
        const world = aWorld(drawn, [kind]);
        const [id] = world.queues.keys();
        if (!id) throw new Error('The world has no queue.');
        for (const [index, name] of names.entries()) {
          world.accept(id, `${name}-${index}`);
          world.pass(1);
        }
        const others = Array.from({ length: count }, (_, n) => `r${7 * n}`);
        for (const other of others) world.accept(id, other);
        world.pass(10 * MINUTE);
        expect(others.filter((other) => !world.chronicle.done.has(other))).toEqual([]);
      }),
      runs(),
    );
  });
});

test('no queue delays another: requests to a working service are sent immediately', {
  timeout: PATIENCE,
}, () => {
  fc.assert(
    fc.property(history, chances, (events, drawn) => {
      const world = aWorld(drawn);
      const calm = events.filter(({ kind }) => !['restart', 'sleep', 'online'].includes(kind));
      play(world, calm);
      for (const service of world.services) {
        if (service.weather.startsWith('killed')) service.weather = 'lost-after';
      }
      world.setOnline(true);
      const fair = world.services[1];
      if (!fair) throw new Error('The world has no second service.');
      fair.weather = 'fair';
      world.permit(fair, true);
      const id = world.connect(fair);
      world.accept(id, 'r0-other');
      world.pass(20 * SECOND);
      expect(world.chronicle.done.has('r0-other')).toBe(true);
    }),
    runs(),
  );
});
