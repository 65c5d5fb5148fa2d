import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectionChanged } from '../../../src/queue/requests.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { DAY, HOUR, NOW, SECOND, specOnly } from '../queue/given.ts';
import type { ModelService } from '../queue/model-service.ts';
import { freshDisk } from '../support/disk.ts';
import { PATIENCE, runs } from '../support/runs.ts';
import { HttpService, type Manner } from './http-service.ts';
import { type Fate, MortalLife } from './mortal-life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

const service = new HttpService();
let baseUrl: string;
beforeAll(async () => {
  baseUrl = await service.start();
});
afterAll(() => service.stop());

const manners: Manner[] = ['right', 'right', 'busy', 'bad-gateway', 'drop-before', 'drop-after'];
// Each life dies at the so manieth door it goes through; one request takes a dozen.
const lives = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6, size: 'max' });
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('accept' as const), count: fc.integer({ min: 1, max: 7 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 9 * HOUR }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('manner' as const), manner: fc.constantFrom(...manners) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('mortal' as const), lives }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clock' as const), by: fc.integer({ min: -DAY, max: DAY }) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** A person, their computer and its lives, one after the other over one disk. */
class History {
  readonly fate: Fate;
  readonly accepted: string[] = [];
  life: MortalLife;
  #wished = 0;
  /** How long the next lives are; those after them do not end by themselves. */
  #lives: number[] = [];

  constructor(kind: ModelService['kind'], chance: () => number) {
    freshDisk();
    this.fate = { now: NOW, clockError: 0, chance };
    service.begin(kind, this.fate);
    this.life = new MortalLife(this.fate, Number.POSITIVE_INFINITY);
  }

  async connect(): Promise<void> {
    const connection = { ...specOnly, baseUrl };
    await this.life.store.transact((snapshot) => ({
      snapshot: connectionChanged({ ...snapshot, connection, budget: null }),
      apiKey: 'key',
      value: null,
    }));
  }

  async play(step: Event): Promise<void> {
    if (step.kind === 'accept') for (let n = 0; n < step.count; n += 1) await this.#wish();
    else if (step.kind === 'manner') service.manner = step.manner;
    else if (step.kind === 'pass') await this.pass(step.ms);
    else {
      if (step.kind === 'mortal') this.#lives = [...step.lives];
      this.#reborn(step.kind === 'clock' ? step.by : 0);
    }
  }

  /** Lets time pass, the background waking whenever it wants to. */
  async pass(ms: number): Promise<void> {
    const until = this.fate.now + ms;
    while (this.fate.now < until) {
      const ended = await this.life.run();
      if (ended === 'died') this.#reborn(0);
      else this.fate.now = Math.min(until, this.fate.now + Math.max(1, this.life.dueIn ?? ms));
    }
  }

  /** Asks until there is an answer, as a page does: with the same id. */
  async #wish(): Promise<void> {
    const id = `request-r${this.#wished}`;
    const wish = { id, url: `https://x.example/r${this.#wished}`, title: '', private: false };
    this.#wished += 1;
    for (;;) {
      const reply = await Promise.race([this.life.wishes.shorten(wish), this.life.died]);
      if (reply !== 'died') break;
      this.#reborn(0);
    }
    this.accepted.push(id);
  }

  #reborn(clockBy: number): void {
    this.fate.now += 2 * SECOND;
    this.fate.clockError += clockBy;
    this.life = new MortalLife(this.fate, this.#lives.shift() ?? Number.POSITIVE_INFINITY);
  }
}

async function outcome(history: History) {
  const { requests } = await history.life.store.transact((snapshot) => ({ snapshot, value: snapshot }));
  const linked = (await (await openDatabase()).getAllKeys('links')).map(String);
  return { requests, linked };
}

describe.each([
  ['spec-only', 25 * HOUR],
  ['full', 0],
  ['batching', 0],
] as const)('over real HTTP to a %s service, whatever dies or is lost on the way', (kind, rolling) => {
  test('every accepted request comes to one end, and the service sees neither too much nor the same twice', {
    timeout: PATIENCE,
  }, async () => {
    const chances = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
    const events = fc.array(event, { minLength: 3, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(events, chances, async (steps, chance) => {
        const history = new History(kind, () => chance.next().value as number);
        await history.connect();
        for (const step of steps) await history.play(step);
        service.manner = 'right';
        await history.play({ kind: 'mortal', lives: [] });
        await history.pass(8 * DAY);

        const { requests, linked } = await outcome(history);
        expect([...linked, ...requests.map(({ id }) => id)].toSorted()).toEqual(history.accepted.toSorted());
        const left = requests.filter(
          ({ state }) => state !== 'failed' && !(kind === 'spec-only' && state === 'unknown'),
        );
        expect(left).toEqual([]);

        const { arrivals, links } = service.model;
        expect(new Set(links.map(({ url }) => url)).size).toBe(links.length);
        const gaps = arrivals.slice(1).map(({ at }, n) => at - (arrivals[n]?.at ?? 0));
        expect(Math.min(SECOND, ...gaps)).toBe(SECOND);
        const near = (at: number, other: number) =>
          rolling ? other >= at && other < at + rolling : Math.floor(at / DAY) === Math.floor(other / DAY);
        const most = arrivals.map(({ at }) => arrivals.filter((other) => near(at, other.at)).length);
        expect(Math.max(0, ...most)).toBeLessThanOrEqual(20);
      }),
      runs(0.04),
    );
  });
});
