import { serviceOf } from '../../../src/background/connections.ts';
import { Pump } from '../../../src/background/pump.ts';
import { Wishes } from '../../../src/background/wishes.ts';
import type { Time } from '../../../src/queue/types.ts';
import { lookAt, toldBy } from '../../../src/service/look.ts';
import { sendAttempt } from '../../../src/service/send.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { type Rule, Store } from '../../../src/storage/store.ts';

/** What every life of one history shares: the true time, and what chance gives. */
export interface Fate {
  now: number;
  /** What this computer's clock shows more than the true time. */
  clockError: number;
  chance: () => number;
}

/** Every door of the background passes through here, and at the `steps`th of them the background dies. */
class Mortality {
  readonly died: Promise<'died'>;
  #steps: number;
  #die: (value: 'died') => void;

  constructor(steps: number) {
    const { promise, resolve } = Promise.withResolvers<'died'>();
    this.died = promise;
    this.#die = resolve;
    this.#steps = steps;
  }

  get isDead(): boolean {
    return this.#steps <= 0;
  }

  /** Does `work` and gives its result, or dies before it, or after it. The dead get no result, and do nothing more. */
  async through<T>(work: () => Promise<T>): Promise<T> {
    await this.#step();
    const result = await work();
    await this.#step();
    return result;
  }

  #step(): Promise<void> | undefined {
    this.#steps -= 1;
    if (!this.isDead) return;
    this.#die('died');
    return new Promise(() => {});
  }
}

class MortalStore extends Store {
  readonly #mortality: Mortality;

  constructor(mortality: Mortality, clock: () => Time) {
    super(openDatabase, clock);
    this.#mortality = mortality;
  }

  override transact<T>(rule: Rule<T>, about?: string): Promise<T> {
    return this.#mortality.through(() => super.transact(rule, about));
  }
}

/** One life of the background: the real pump, wishes, store and service room over real HTTP. It dies after `steps`. */
export class MortalLife {
  readonly wishes: Wishes;
  readonly store: Store;
  readonly died: Promise<'died'>;
  /** When it wants to be woken, by its own clock; null: only an event can. */
  wake: number | null = null;
  readonly #pump: Pump;
  readonly #clock: () => Time;

  constructor(fate: Fate, steps: number) {
    const mortality = new Mortality(steps);
    const lifetime = crypto.randomUUID();
    const { clockError } = fate;
    this.#clock = () => ({ now: fate.now + clockError, lifetime });
    const store = new MortalStore(mortality, this.#clock);
    this.store = store;
    this.died = mortality.died;
    const key = async () => (await store.apiKey()) ?? '';
    this.#pump = new Pump({
      store,
      clock: this.#clock,
      chance: fate.chance,
      online: () => true,
      permitted: () => mortality.through(async () => true),
      send: (connection, attempt) =>
        mortality.through(async () => sendAttempt(fetch, connection, await key(), attempt, () => this.#clock().now)),
      look: (connection) =>
        mortality.through(async () => {
          const sighting = await lookAt(fetch, connection.baseUrl, await key());
          return { told: toldBy(sighting), service: serviceOf(sighting) };
        }),
      wakeAt: async (until) => {
        this.wake = until;
      },
      sleep: async () => {
        this.wake = null;
      },
      settled: () => mortality.through(async () => {}),
    });
    this.wishes = new Wishes(
      store,
      () => this.#pump.recovered(),
      () => {},
    );
  }

  /** Moves the queue on until it waits, or until death. */
  run(): Promise<'waits' | 'died'> {
    return Promise.race([this.#pump.run().then(() => 'waits' as const), this.died]);
  }

  /** Milliseconds until it wants to be woken; null where nothing is due. */
  get dueIn(): number | null {
    return this.wake === null ? null : Math.max(0, this.wake - this.#clock().now);
  }
}
