import * as fc from 'fast-check';
import { DAY, HOUR, SECOND } from '../support/queue-builders.ts';
import { type Kind, ModelService, POISONS, type Weather } from './service.ts';
import { World } from './world.ts';

const duration = fc.oneof(
  fc.integer({ min: 1, max: 3 * SECOND }),
  fc.integer({ min: SECOND, max: 2 * HOUR }),
  fc.integer({ min: HOUR, max: 3 * DAY }),
);
/** Time for which a computer is off or asleep. A few of these times exceed the lifetime of idempotency keys. */
const absence = fc.oneof({ weight: 9, arbitrary: duration }, { weight: 1, arbitrary: fc.constant(30 * DAY) });
/** A sleep during which the user sets the clock lasts longer than the one second between two sends. */
const asleep = absence.map((ms) => ms + SECOND);
const jump = fc.oneof(
  fc.constantFrom(-HOUR, HOUR), // clock in local time at the start or end of daylight saving time
  fc.integer({ min: -5 * DAY, max: 5 * DAY }),
  fc.integer({ min: 0, max: DAY }),
  fc.integer({ min: -10 * SECOND, max: 10 * SECOND }),
);
const weather = fc.constantFrom<Weather>(
  'fair',
  'fair',
  'slow',
  'busy',
  'cached',
  'down',
  'gateway',
  'nonsense',
  'throttles',
  'filtered',
  'maintenance',
  'dead',
  'no-key',
  'squatted',
  'no-batches',
  'lost-before',
  'lost-after',
  'killed-before',
  'killed-after',
);
/** Index that picks one of any number of elements. */
const pick = fc.nat({ max: 1_000 });
const at = { connection: pick };

function step<Name extends string, Parts extends Record<string, unknown>>(
  kind: Name,
  parts: { [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
) {
  return fc.record({ kind: fc.constant(kind), ...parts }) as fc.Arbitrary<{ kind: Name } & Parts>;
}

const poison = fc.constantFrom(...POISONS);
const count = fc.integer({ min: 1, max: 9 });
const event = fc.oneof(
  { weight: 6, arbitrary: step('accept', { ...at, count, isGroup: fc.boolean() }) },
  { weight: 2, arbitrary: step('accept-poison', { ...at, poison }) },
  { weight: 8, arbitrary: step('pass', { ms: duration }) },
  { weight: 4, arbitrary: step('weather', { service: pick, weather }) },
  { weight: 2, arbitrary: step('restart', { ms: absence }) },
  {
    weight: 2,
    arbitrary: step('sleep', { by: fc.oneof(fc.constant(0), jump), ms: asleep }),
  },
  { weight: 1, arbitrary: step('online', { online: fc.boolean() }) },
  { weight: 1, arbitrary: step('permit', { service: pick, isPermitted: fc.boolean() }) },
  { weight: 1, arbitrary: step('try-now', at) },
  { weight: 1, arbitrary: step('hold', { ...at, isOnHold: fc.boolean() }) },
  { weight: 1, arbitrary: step('save', { ...at, other: fc.constantFrom('same', 'key', 'service'), service: pick }) },
  { weight: 1, arbitrary: step('forget', at) },
  { weight: 1, arbitrary: step('connect', { service: pick }) },
  { weight: 1, arbitrary: step('cancel', { request: pick }) },
  { weight: 2, arbitrary: step('retry', { request: pick }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Random events of a simulation. Without `size`, fast-check would create short arrays that never use up a quota. */
export const history = fc.array(event, { maxLength: 60, size: 'max' });

export const chances = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));

const ALL: Kind[] = ['spec-only', 'full', 'batching'];

export const kinds = fc.oneof(
  fc.constant(ALL),
  fc.constantFrom(...ALL).map((kind) => [kind]),
);

export function aWorld(chances: Iterator<number>, kinds: Kind[] = ALL): World {
  const services = kinds.map((kind) => new ModelService(kind, kind));
  return new World(services, () => chances.next().value as number);
}

export function play(world: World, events: Event[]): World {
  for (const one of events) playOne(world, one);
  return world;
}

function playOne(world: World, one: Event): void {
  const request = 'request' in one ? nth([...world.chronicle.accepted.keys()], one.request, 'none') : 'none';
  if (one.kind === 'pass') world.pass(one.ms);
  else if (one.kind === 'restart') world.restart(one.ms);
  else if (one.kind === 'sleep') world.sleep(one.ms, one.by);
  else if (one.kind === 'online') world.setOnline(one.online);
  else if (one.kind === 'cancel') world.cancel(request);
  else if (one.kind === 'retry') world.retry(request);
  else if ('connection' in one) playAt(world, one, nth([...world.queues.keys()], one.connection, 'none'));
  else playService(world, one, nth(world.services, one.service));
}

function playService(world: World, one: Exclude<Event, { connection: number }>, service?: ModelService): void {
  if (!service) return;
  if (one.kind === 'connect') world.connect(service);
  else if (one.kind === 'permit') world.permit(service, one.isPermitted);
  else if (one.kind === 'weather') service.weather = one.weather;
}

function playAt(world: World, one: Extract<Event, { connection: number }>, id: string): void {
  const next = world.chronicle.accepted.size;
  if (one.kind === 'accept') {
    const groupId = one.isGroup ? `group-${next}` : null;
    for (let n = 0; n < one.count; n += 1) world.accept(id, `r${world.chronicle.accepted.size}`, { groupId });
  } else if (one.kind === 'accept-poison') world.accept(id, `${one.poison}-${next}`);
  else if (one.kind === 'try-now') world.tryNow(id);
  else if (one.kind === 'hold') world.setOnHold(id, one.isOnHold);
  else if (one.kind === 'forget') world.forget(id);
  else world.save(id, one.other === 'service' ? (nth(world.services, one.service) ?? 'same') : one.other);
}

function nth<T>(list: T[], pick: number, otherwise: T): T;
function nth<T>(list: T[], pick: number): T | undefined;
function nth<T>(list: T[], pick: number, otherwise?: T): T | undefined {
  return list[pick % Math.max(1, list.length)] ?? otherwise;
}

/** Ends all faults, fixes all user errors, and waits until the remaining requests are sent. */
export function fairWeather(world: World): void {
  for (const service of world.services) {
    service.weather = 'fair';
    world.permit(service, true);
  }
  world.setOnline(true);
  const [first] = world.services;
  if (world.queues.size === 0 && first) world.connect(first);
  for (const id of world.queues.keys()) {
    world.save(id);
    world.setOnHold(id, false);
  }
  for (let days = 0; days < 60; days += 1) world.pass(DAY);
}
