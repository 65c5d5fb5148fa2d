import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { NO_OPTIONS, newQueue } from '../../../src/queue/add-replace-delete-connection.ts';
import { MAX_SENDS } from '../../../src/queue/limits.ts';
import type { Request } from '../../../src/queue/types.ts';
import type { Kind, Weather } from '../queue/model/service.ts';
import { DAY, HOUR, NOW, SECOND, specOnly } from '../queue/support/queue-builders.ts';
import { freshDisk } from '../support/disk.ts';
import { PATIENCE, runs } from '../support/runs.ts';
import { HttpService } from './http-service.ts';
import { type Fate, MortalWorker } from './mortal-worker.ts';
import { diskNow } from './sweep/disk-now.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const KINDS: Kind[] = ['spec-only', 'full', 'batching'];
const services = KINDS.map((kind) => new HttpService(kind));
beforeAll(() => Promise.all(services.map((service) => service.start())));
afterAll(() => Promise.all(services.map((service) => service.stop())));

const weathers: Weather[] = [
  'fair',
  'fair',
  'busy',
  'gateway',
  'nonsense',
  'filtered',
  'maintenance',
  'dead',
  'throttles',
  'lost-before',
  'lost-after',
  'no-batches',
];
const pick = fc.nat({ max: KINDS.length - 1 });
// Each background worker dies at a random external call. One request needs about 24 external calls.
const lives = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6, size: 'max' });
const step = <Name extends string, Parts extends object>(
  kind: Name,
  parts: { [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
) => fc.record({ kind: fc.constant(kind), ...parts }) as fc.Arbitrary<{ kind: Name } & Parts>;
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: step('accept', { service: pick, count: fc.integer({ min: 1, max: 7 }), isList: fc.boolean() }),
  },
  { weight: 3, arbitrary: step('pass', { ms: fc.integer({ min: 1, max: 9 * HOUR }) }) },
  { weight: 3, arbitrary: step('weather', { service: pick, weather: fc.constantFrom(...weathers) }) },
  { weight: 3, arbitrary: step('mortal', { lives }) },
  { weight: 1, arbitrary: step('hold', { service: pick, isOnHold: fc.boolean() }) },
  { weight: 1, arbitrary: step('clock', { by: fc.integer({ min: -DAY, max: DAY }) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** A user and a computer with a series of background workers, which share one disk. */
class History {
  readonly fate: Fate;
  readonly accepted = new Map<string, string[]>(KINDS.map((kind) => [kind, []]));
  worker: MortalWorker;
  #ordered = 0;
  /**
   * Number of external calls after which each background worker dies. Workers beyond the end of this list do not die.
   */
  #lives: number[] = [];

  constructor(chance: () => number) {
    freshDisk();
    this.fate = { now: NOW, clockError: 0, chance };
    for (const service of services) service.begin(() => this.fate.now);
    this.worker = new MortalWorker(this.fate, Number.POSITIVE_INFINITY);
  }

  async connect(): Promise<void> {
    const connections = services.map(({ kind, baseUrl, model }, index) => ({
      ...specOnly,
      service: model.info,
      id: kind,
      baseUrl,
      serviceReadAt: null,
      preferredAt: index,
    }));
    const apiKeys = new Map(services.map(({ kind, model }) => [kind as string, model.issueKey()]));
    await this.worker.store.updateAll(() => ({
      all: { queues: connections.map(newQueue), apiKeys },
      result: null,
    }));
  }

  async play(one: Event): Promise<void> {
    if (one.kind === 'accept') await this.#accept(one);
    else if (one.kind === 'weather') {
      const service = services[one.service];
      if (service) service.model.weather = one.weather;
    } else if (one.kind === 'pass') await this.pass(one.ms);
    else if (one.kind === 'hold') await this.hold(KINDS[one.service] ?? 'full', one.isOnHold);
    else {
      if (one.kind === 'mortal') this.#lives = [...one.lives];
      this.#reborn(one.kind === 'clock' ? one.by : 0);
    }
  }

  /** Advances the time and starts a background worker at each alarm. */
  async pass(ms: number): Promise<void> {
    const until = this.fate.now + ms;
    while (this.fate.now < until) {
      const ended = await this.worker.run();
      if (ended === 'died') this.#reborn(0);
      else this.fate.now = Math.min(until, this.fate.now + Math.max(1, this.worker.dueIn ?? ms));
    }
  }

  async hold(connectionId: string, isOnHold: boolean): Promise<void> {
    await this.#ask(({ commands }) => commands.setPaused(connectionId, isOnHold));
  }

  /** Requests `count` links, either in separate messages or as one list. */
  async #accept({ service, count, isList }: { service: number; count: number; isList: boolean }): Promise<void> {
    const connectionId = KINDS[service] ?? 'full';
    const names = Array.from({ length: count }, () => `r${this.#ordered++}`);
    const orders = names.map((name) => ({ id: `request-${name}`, url: `https://x.example/${name}`, title: '' }));
    if (isList) await this.#order(connectionId, orders);
    else for (const order of orders) await this.#order(connectionId, [order]);
    this.accepted.get(connectionId)?.push(...orders.map(({ id }) => id));
  }

  /** Like an extension page, repeats the message with the same request ids until the background worker answers. */
  async #order(connectionId: string, orders: { id: string; url: string; title: string }[]): Promise<void> {
    const order = { orders, connectionId, options: NO_OPTIONS, anew: false, source: 'popup' } as const;
    await this.#ask(({ commands }) => commands.shorten(order));
  }

  async #ask(asked: (worker: MortalWorker) => Promise<{ ok: boolean }>): Promise<void> {
    for (;;) {
      const reply = await Promise.race([asked(this.worker), this.worker.died]);
      if (reply !== 'died') return expect(reply.ok).toBe(true);
      this.#reborn(0);
    }
  }

  #reborn(clockBy: number): void {
    this.worker.end();
    this.fate.now += 2 * SECOND;
    this.fate.clockError += clockBy;
    this.worker = new MortalWorker(this.fate, this.#lives.shift() ?? Number.POSITIVE_INFINITY);
  }
}

/** Checks the links at one service and the requests on disk. */
function expectPromisesKept({ kind, model }: HttpService, accepted: string[]): void {
  const disk = diskNow();
  const requests = disk.requests.filter(({ connectionId }) => connectionId === kind);
  const linked = disk.links.filter(({ connectionId }) => connectionId === kind).map(({ id }) => id);
  expect([...linked, ...requests.map(({ id }) => id)].toSorted()).toEqual(accepted.toSorted());
  // A service with idempotency keys makes a request uncertain only after many sends without an answer.
  const isLeft = ({ attempts }: Request) => kind === 'spec-only' || attempts >= MAX_SENDS;
  const mayStay = (request: Request) =>
    request.state === 'failed' || (request.state === 'uncertain' && isLeft(request));
  expect(requests.filter((request) => !mayStay(request))).toEqual([]);

  const { received, links } = model;
  expect(new Set(links.map(({ url }) => url)).size).toBe(links.length);
  expect(new Set(received.map(({ apiKey }) => apiKey)).size).toBeLessThanOrEqual(1);
  const gaps = received.slice(1).map(({ at }, n) => at - (received[n]?.at ?? 0));
  expect(Math.min(SECOND, ...gaps)).toBe(SECOND);
  // A service that does not report its limits may start its day at another time.
  const isNear = (at: number, other: number) =>
    kind === 'spec-only' ? other >= at && other < at + 25 * HOUR : Math.floor(at / DAY) === Math.floor(other / DAY);
  const most = received.map(({ at }) => received.filter((other) => isNear(at, other.at)).length);
  expect(Math.max(0, ...most)).toBeLessThanOrEqual(20);
}

describe('any history of requests, crashes and lost messages over real HTTP', () => {
  test('ends each accepted request once, without excess sends, duplicate links or wrong API keys', {
    timeout: PATIENCE,
  }, async () => {
    const chances = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
    const events = fc.array(event, { minLength: 3, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(events, chances, async (steps, chance) => {
        const history = new History(() => chance.next().value as number);
        await history.connect();
        for (const one of steps) await history.play(one);
        for (const { model } of services) model.weather = 'fair';
        await history.play({ kind: 'mortal', lives: [] });
        for (const kind of KINDS) await history.hold(kind, false);
        await history.pass(12 * DAY);
        for (const service of services) expectPromisesKept(service, history.accepted.get(service.kind) ?? []);
      }),
      runs(0.08),
    );
  });
});
