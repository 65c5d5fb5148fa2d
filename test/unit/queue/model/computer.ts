import { type Clock, startClock, withClock } from '../../../../src/queue/limits/clock-changes.ts';
import type { CodeGeneration } from '../../../../src/queue/short-code-generator.ts';
import type { Queue, Request, Time } from '../../../../src/queue/types.ts';
import { type Cause, Chronicle } from './chronicle.ts';
import type { ModelService } from './service.ts';

/** Where the requests of a connection go, and as whom. */
export interface Login {
  service: ModelService;
  apiKey: string;
}

/** A computer with its clocks and its database, which holds every change against the promises. */
export class Computer {
  /** True time; the computer's clock shows `now + clockError`. */
  now = Date.UTC(2026, 2, 28, 9, 30);
  clockError = 0;
  online = true;
  privateOpen = false;
  readonly queues = new Map<string, Queue>();
  readonly logins = new Map<string, Login>();
  readonly chronicle = new Chronicle();
  /** Addresses that the person has taken the browser's access from. */
  readonly denied = new Set<string>();
  unassigned: Request[] = [];
  /** The next number in [0, 1). */
  readonly chance: () => number;
  /** What the monotonic clock shows: it stands still while the computer sleeps. */
  #awake = 0;
  #ids = 0;
  #codes = 0;
  #clock: Clock;

  constructor(chance: () => number) {
    this.chance = chance;
    this.#clock = this.#startClock();
  }

  time(): Time {
    return this.#clock();
  }

  /** A new worker reads its clock anew. */
  startWorker(): void {
    this.#clock = this.#startClock();
  }

  advance(to: number): void {
    this.#awake += to - this.now;
    this.now = to;
  }

  /** What requests are given as they are accepted. */
  minting(what: string): CodeGeneration {
    // Codes that are never the same: that somebody else has one is for a service to say.
    const randomBytes = (count: number) => {
      this.#codes += 1;
      return Uint8Array.from({ length: count }, (_, digit) => (this.#codes >> (3 * digit)) & 7);
    };
    return { newKey: () => this.newId(what), randomBytes };
  }

  newId(what: string): string {
    this.#ids += 1;
    return `${what}-${this.#ids}`;
  }

  /** The queue of a connection as every rule gets it. */
  queue(id: string): Queue | undefined {
    const stored = this.queues.get(id);
    if (!stored) return undefined;
    const moved = withClock(stored, this.time());
    if (moved !== stored) this.queues.set(id, moved);
    return moved;
  }

  /** Reads, decides and writes, as the store does. */
  update(id: string, cause: Cause, rule: (queue: Queue, time: Time) => Queue): void {
    const time = this.time();
    const before = this.queue(id);
    if (!before) return;
    const next = rule(before, time);
    if (next === before) return;
    this.queues.set(id, { ...next, state: { ...next.state, latestTime: time.now } });
    this.chronicle.changed(before, next, cause, this.now);
    if (cause !== 'close-private') this.checkPrivate();
  }

  /** Nothing of a private window is there once the last of them is closed. */
  checkPrivate(): void {
    if (this.privateOpen) return;
    const queues = [...this.queues.values()];
    const all = [...this.unassigned, ...queues.flatMap(({ requests, attempts }) => [...requests, ...attempts])];
    const left = all.filter((one) => one.private).length + this.chronicle.privateLinks.size;
    if (left > 0) this.chronicle.broken('private data is gone whenever no private window is open');
  }

  #startClock(): Clock {
    const clocks = { wall: () => this.now + this.clockError, monotonic: () => this.#awake };
    return startClock(clocks, () => this.newId('worker'));
  }
}
