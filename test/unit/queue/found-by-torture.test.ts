import { FEATURE } from '@terse/contract/service-capabilities';
import { describe, expect, test } from 'vitest';
import { applyReportedLimits, remaining } from '../../../src/queue/limits.ts';
import { aWorld, fairWeather } from './model/history.ts';
import { type Kind, ModelService, type Weather } from './model/service.ts';
import type { World } from './model/world.ts';
import { aQueue, at, DAY, HOUR, MINUTE, SECOND } from './support/queue-builders.ts';

// Histories that once broke a promise to the user. `npm run torture` found most of them.

function worldOf(kind: Kind, chance = 0) {
  const forever = { next: () => ({ value: chance, done: false as const }) };
  const world = aWorld(forever, [kind]);
  const [service] = world.services;
  const [id] = world.queues.keys();
  if (!service || !id) throw new Error('The world has no service or no queue.');
  return { world, service, id };
}

function states(world: World): string[] {
  return [...world.queues.values()].flatMap(({ requests }) => requests.map(({ id, state }) => `${id} ${state}`));
}

describe('the 21st send', () => {
  const quota = { limit: 20, windowSeconds: 86_400, remaining: 20, resetSeconds: 60 };
  const { limits } = aQueue();
  const reported = applyReportedLimits(limits, { throttle: null, quota }, at());
  const nextDay = (sends: (typeof limits)['sends']) => remaining({ ...reported, sends }, at(MINUTE + 5 * SECOND));

  test('is not sent right after the quota reset because an estimate dated a send to the day before', () => {
    expect(nextDay([at(MINUTE + 300)])).toBe(19);
    expect(nextDay([at(MINUTE - 20 * SECOND)])).toBe(19);
  });

  test.each<Weather>(['lost-after', 'killed-after', 'slow'])(
    'is not sent on the same day despite faults around the reset (%s)',
    (weather) => {
      const { world, service, id } = worldOf('full', 0.7);
      const untilBorder = DAY - (world.now % DAY);
      world.pass(untilBorder - 20 * SECOND);
      for (let n = 0; n < 30; n += 1) world.accept(id, `r${7 * n}`);
      for (let second = 0; second < 40; second += 1) {
        service.weather = weather;
        world.pass(SECOND);
      }
      service.weather = 'fair';
      world.pass(23 * HOUR);
      expect(service.received.length).toBeGreaterThanOrEqual(20);
      const days = Map.groupBy(service.received, (arrival) => Math.floor(arrival.at / DAY));
      for (const sent of days.values()) expect(sent.length).toBeLessThanOrEqual(20);
    },
  );

  test('is not sent after a cached response to a probe and a correct response to the send', () => {
    const { world, service, id } = worldOf('spec-only');
    for (let n = 0; n < 19; n += 1) world.accept(id, `r${7 * n}`);
    world.pass(5 * MINUTE);
    expect(service.received).toHaveLength(19);
    service.weather = 'cached';
    for (let n = 19; n < 25; n += 1) world.accept(id, `r${7 * n}`);
    world.pass(5 * MINUTE);
    expect(service.received).toHaveLength(20);
    world.pass(2 * DAY);
    expect(service.received).toHaveLength(25);
  });
});

describe('the lifetime of idempotency keys', () => {
  test('ends if the computer was off for more than 29 days, which leaves requests to the user', () => {
    const { world, service, id } = worldOf('batching');
    service.finds = false;
    service.weather = 'lost-after';
    world.accept(id, 'r0');
    world.pass(5 * SECOND);
    world.sleep(31 * DAY, 0);
    fairWeather(world);
    expect(states(world)).toEqual(['r0 uncertain']);
    expect(service.links).toHaveLength(1);
  });
});

test("a connection that moves to another address expects none of the old service's features", () => {
  const { world, id } = worldOf('full');
  const other = aWorld({ next: () => ({ value: 0, done: false }) }, ['spec-only']).services[0];
  if (!other) throw new Error('The world has no service.');
  other.weather = 'gateway';
  world.save(id, other);
  world.accept(id, 'r0');
  world.pass(HOUR);
  expect(other.links).toHaveLength(1);
  expect(states(world)).toEqual(['r0 uncertain']);
});

test('if a worker with a slow clock dies right after a send, the next worker waits long enough', () => {
  const { world, service, id } = worldOf('full');
  world.sleep(1_001, 0);
  world.accept(id, 'r0');
  world.pass(100);
  world.accept(id, 'r7');
  world.restart(1);
  world.pass(MINUTE);
  const [first, second] = service.received;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(SECOND);
});

test('one URL with errors among fifty in a batch delays the others by less than a day', () => {
  const { world, id } = worldOf('batching');
  world.accept(id, 'error-0');
  for (let n = 0; n < 49; n += 1) world.accept(id, `r${7 * n}`);
  expect(world.services[0]?.info?.features).toContain(FEATURE.itemIdempotency);
  world.pass(MINUTE);
  expect(world.chronicle.done.size).toBe(49);
  expect(world.services[0]?.received.length).toBeLessThanOrEqual(16);
});

test('a URL with errors only in a batch delays no other request, and is retried automatically', () => {
  const { world, service, id } = worldOf('batching');
  world.accept(id, 'item-0');
  for (let n = 0; n < 9; n += 1) world.accept(id, `r${7 * n}`);
  world.pass(10 * SECOND);
  expect(world.chronicle.done.size).toBe(9);
  expect(service.received).toHaveLength(2);
  expect(states(world)).toEqual(['item-0 unknown']);
  world.pass(20 * MINUTE);
  expect(service.received).toHaveLength(3);
  world.pass(3 * DAY);
  expect(states(world)).toEqual(['item-0 uncertain']);
  expect(service.received).toHaveLength(6);
});

test('a URL without responses returns behind the waiting requests after its delay', () => {
  const { world, service, id } = worldOf('batching', 0.999);
  service.finds = false;
  world.accept(id, 'reset-0');
  world.pass(1);
  for (const name of ['reset-1', 'r0', 'r7', 'r14']) world.accept(id, name);
  world.pass(10 * MINUTE);
  expect([...world.chronicle.done.keys()].toSorted()).toEqual(['r0', 'r14', 'r7']);
});

test('an uncertain request that was retried and moved to another server keeps its displayed short URL', () => {
  const { world, service, id } = worldOf('batching');
  service.finds = false;
  service.weather = 'nonsense';
  world.accept(id, 'r0');
  world.pass(3 * DAY);
  expect(states(world)).toEqual(['r0 uncertain']);
  world.retry('r0');
  const other = new ModelService('batching', 'other');
  world.services.push(other);
  world.save(id, other);
  fairWeather(world);
  expect([...world.chronicle.done.keys()]).toEqual(['r0']);
  expect([...world.chronicle.breaches]).toEqual([]);
});

test('a link with a lost response is found by its short code, even if its idempotency key is old', () => {
  const { world, service, id } = worldOf('batching');
  service.weather = 'lost-after';
  world.accept(id, 'r0');
  world.pass(5 * SECOND);
  world.sleep(31 * DAY, 0);
  fairWeather(world);
  expect([...world.chronicle.done.keys()]).toEqual(['r0']);
  expect(service.links).toHaveLength(1);
});

test('a request that was turned away keeps, with a new API key, its bytes and its idempotency key', () => {
  const { world, service, id } = worldOf('full');
  service.weather = 'no-key';
  world.accept(id, 'r0');
  world.pass(SECOND);
  world.save(id, 'key');
  fairWeather(world);
  expect([...world.chronicle.done.keys()]).toEqual(['r0']);
  expect(new Set(service.received.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
});

test('a request that waits for its retry is left to the user if the API key changes, and delays no queue', () => {
  const { world, service, id } = worldOf('full');
  service.weather = 'throttles';
  world.accept(id, 'error-0');
  world.pass(SECOND);
  expect(states(world)).toEqual(['error-0 waiting']);
  world.save(id, 'key');
  fairWeather(world);
  expect(states(world)).toEqual(['error-0 uncertain']);
  expect([...world.chronicle.breaches]).toEqual([]);
});
