import { type Arrival, type Doors, Pump } from '../../../src/background/pump.ts';
import { Wishes } from '../../../src/background/wishes.ts';
import type { Look } from '../../../src/queue/look.ts';
import type { Outcome } from '../../../src/queue/outcome.ts';
import { connectionChanged, type Wish } from '../../../src/queue/requests.ts';
import type { Attempt, ConnectionInfo, Request, Time } from '../../../src/queue/types.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { Store } from '../../../src/storage/store.ts';
import { answered, at, created, fullService, NO_LIMITS, specOnly } from '../queue/given.ts';

let lives = 0;

/**
 * One life of the background over the database there is: the real pump, store and wishes, every other door scripted.
 * Time passes only by `pass`.
 */
export class Life {
  readonly time: Time;
  readonly store: Store;
  readonly pump: Pump;
  readonly wishes: Wishes;
  readonly sent: Attempt[] = [];
  readonly looks: string[] = [];
  readonly wakes: (number | null)[] = [];
  readonly told: { arrivals: Arrival[]; stuck: Request[] }[] = [];
  slept = 0;
  moves = 0;
  online = true;
  permitted = async () => true;
  /** Called when a wait begins. */
  woken = async () => {};
  /** How the next attempts are answered. */
  send: (attempt: Attempt, connection: ConnectionInfo) => Promise<Outcome> = async ({ requestIds }) =>
    answered(requestIds.map((id) => created(`https://s.example/${id}`)));
  look: () => Promise<{ told: Look; service: ConnectionInfo['service'] }> = async () => ({
    told: { date: null, limits: NO_LIMITS },
    service: null,
  });
  settled: Doors['settled'] = async (arrivals, stuck) => void this.told.push({ arrivals, stuck });

  constructor(ms = 0) {
    lives += 1;
    this.time = at(ms, `life-${lives}`);
    this.store = new Store(openDatabase, () => ({ ...this.time }));
    this.pump = new Pump({
      store: this.store,
      clock: () => ({ ...this.time }),
      chance: () => 0.5,
      online: () => this.online,
      permitted: () => this.permitted(),
      send: (connection, attempt) => {
        this.sent.push(attempt);
        return this.send(attempt, connection);
      },
      look: (connection) => {
        this.looks.push(connection.id);
        return this.look();
      },
      wakeAt: async (until) => {
        this.wakes.push(until);
        void this.woken();
      },
      sleep: async () => {
        this.slept += 1;
      },
      settled: (arrivals, stuck) => this.settled(arrivals, stuck),
    });
    this.wishes = new Wishes(
      this.store,
      () => this.pump.recovered(),
      () => {
        this.moves += 1;
      },
    );
  }

  pass(ms: number): void {
    this.time.now += ms;
  }

  /** Runs the queue until nothing waits for time alone any more, letting that time pass. */
  async runOut(): Promise<void> {
    for (let turns = 0; turns < 50; turns += 1) {
      const { slept } = this;
      await this.pump.run();
      const until = this.wakes.at(-1);
      if (this.slept > slept || until == null) return;
      this.time.now = Math.max(this.time.now, until);
    }
  }

  async connect(connection: ConnectionInfo | null): Promise<void> {
    await this.store.transact((snapshot) => ({
      snapshot: connectionChanged({ ...snapshot, connection, budget: null }),
      value: null,
    }));
  }

  async accept(...ids: string[]): Promise<void> {
    for (const id of ids) await this.wishes.shorten(aWish(id));
  }

  snapshot() {
    return this.store.transact((snapshot) => ({ snapshot, value: snapshot }));
  }

  async requests() {
    return (await this.snapshot()).requests;
  }

  /** The ids of the links there are. */
  async links(): Promise<string[]> {
    return (await (await openDatabase()).getAllKeys('links')).map(String);
  }
}

export function aWish(id: string, part: Partial<Wish> = {}): Wish {
  return { id, url: `https://x.example/${id}`, title: id, private: false, ...part };
}

/** A life connected to a service without anything but the specification, or to one with idempotency and batches. */
export async function connected(kind: 'spec-only' | 'full' = 'spec-only', ms = 0): Promise<Life> {
  const life = new Life(ms);
  await life.connect(kind === 'full' ? fullService() : specOnly);
  return life;
}

/** A promise and what resolves it: for answers that come when the test says so. */
export function later<T>(): {
  promise: Promise<T>;
  resolve: (value: T | PromiseLike<T>) => void;
  reject: (error: unknown) => void;
} {
  return Promise.withResolvers<T>();
}
