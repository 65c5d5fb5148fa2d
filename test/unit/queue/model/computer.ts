import { correctTimes } from '../../../../src/queue/limits.ts';
import type { CodeGeneration } from '../../../../src/queue/short-code-generator.ts';
import type { Queue } from '../../../../src/queue/types.ts';
import { type Cause, Chronicle } from './chronicle.ts';
import type { ModelService } from './service.ts';

export interface Login {
  service: ModelService;
  apiKey: string;
}

/** A computer with clocks, and a database that checks every change against the promises to the user. */
export class Computer {
  /** True time. The computer's clock shows `now + clockError`. */
  now = Date.UTC(2026, 2, 28, 9, 30);
  clockError = 0;
  online = true;
  readonly queues = new Map<string, Queue>();
  readonly logins = new Map<string, Login>();
  readonly chronicle = new Chronicle();
  /** Service addresses for which the user has removed the permission. */
  readonly denied = new Set<string>();
  /** Returns a pseudo-random number in [0, 1). */
  readonly chance: () => number;
  #ids = 0;
  #codes = 0;

  constructor(chance: () => number) {
    this.chance = chance;
  }

  time(): number {
    return this.now + this.clockError;
  }

  advance(to: number): void {
    this.now = to;
  }

  /** Returns generators for the ids and short codes of accepted requests. */
  generation(what: string): CodeGeneration {
    // Never returns the same code twice, because the model service decides which codes are taken.
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

  /** Returns the queue of a connection with the current time applied. */
  queue(id: string): Queue | undefined {
    const stored = this.queues.get(id);
    if (!stored) return undefined;
    const moved = correctTimes(stored, this.time());
    if (moved !== stored) this.queues.set(id, moved);
    return moved;
  }

  /** Reads a queue, applies the rule and writes the result, as the real store does. */
  update(id: string, cause: Cause, rule: (queue: Queue, time: number) => Queue): void {
    const time = this.time();
    const before = this.queue(id);
    if (!before) return;
    const next = rule(before, time);
    if (next === before) return;
    this.queues.set(id, next);
    this.chronicle.changed(before, next, cause, this.now);
  }
}
