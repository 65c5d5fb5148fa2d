/** Fake timers that fire on request. */
export class Timers {
  now: number;
  readonly #start: number;
  readonly #timers = new Map<number, { at: number; run: () => void; everyMs: number | null }>();
  #ids = 0;

  constructor(now: number) {
    this.now = now;
    this.#start = now;
  }

  /** Replacements for the global clock and timer functions. */
  readonly globals = {
    setTimeout: (run: () => void, ms = 0) => this.#add(run, ms, null),
    setInterval: (run: () => void, ms = 0) => this.#add(run, ms, ms),
    clearTimeout: (id: number) => void this.#timers.delete(id),
    clearInterval: (id: number) => void this.#timers.delete(id),
  };

  monotonic(): number {
    return this.now - this.#start;
  }

  get next(): number | null {
    const times = [...this.#timers.values()].map(({ at }) => at);
    return times.length === 0 ? null : Math.min(...times);
  }

  fire(): void {
    for (const [id, timer] of this.#timers) {
      if (timer.at > this.now) continue;
      if (timer.everyMs === null) this.#timers.delete(id);
      else timer.at = this.now + timer.everyMs;
      timer.run();
    }
  }

  clear(): void {
    this.#timers.clear();
  }

  #add(run: () => void, ms: number, everyMs: number | null): number {
    this.#ids += 1;
    this.#timers.set(this.#ids, { at: this.now + ms, run, everyMs });
    return this.#ids;
  }
}
