import { setImmediate as turn } from 'node:timers/promises';

/** Future events in virtual time. Events at the same time run in the order in which they were added. */
export class Agenda {
  /** True time in milliseconds since the epoch. The simulated clocks may differ from it. */
  now: number;
  #events: { at: number; order: number; run: () => void | Promise<void> }[] = [];
  #order = 0;

  constructor(now: number) {
    this.now = now;
  }

  add(at: number, run: () => void | Promise<void>): void {
    this.#order += 1;
    const event = { at: Math.max(at, this.now), order: this.#order, run };
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.at ?? 0) > event.at) index -= 1;
    this.#events.splice(index, 0, event);
  }

  /** Runs all events until the time `until`, one after the other. */
  async runUntil(until: number): Promise<void> {
    for (let next = this.#events[0]; next && next.at <= until; next = this.#events[0]) {
      this.#events.shift();
      this.now = next.at;
      await next.run();
    }
    this.now = until;
  }
}

const realSetImmediate = globalThis.setImmediate;

/** Number of turns of the event loop without any pending work, after which all work is done. */
const QUIET_TURNS = 3;

/**
 * Work that needs more turns of the event loop: callbacks of `setImmediate`, and HTTP exchanges inside this process. All
 * other work continues in microtasks.
 */
export class PendingWork {
  #count = 0;

  readonly setImmediate = (run: (...values: unknown[]) => void, ...values: unknown[]) => {
    this.begin();
    return realSetImmediate(() => {
      this.end();
      run(...values);
    });
  };

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
  }

  /** Waits until nothing happens any more unless virtual time advances. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      if (this.#count > 0) quiet = 0;
      await turn();
    }
  }
}
