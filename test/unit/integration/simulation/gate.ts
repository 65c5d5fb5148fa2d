/**
 * Faults of a call. `fails`: the call has no effect. `fails-after`: the call has its effect but reports an error.
 * `dies` and `dies-after`: the background worker dies before or after the call.
 */
export const FAULTS = ['fails', 'fails-after', 'dies', 'dies-after'] as const;
export type Fault = (typeof FAULTS)[number];

/** Calls that only read. */
const READS = /^(open|transaction|get|getAll|getAllKeys|openCursor|\w+\.(get|contains|getContexts))$/;

/** Database writes, which have no effect until their transaction commits. */
const WRITES = ['put', 'add', 'delete', 'clear'];

/**
 * Returns the faults that make a difference for this call. A read has no effect, so failing after it equals failing
 * before it.
 */
export function faultsAt(name: string): Fault[] {
  if (READS.test(name)) return ['fails', 'dies'];
  return WRITES.includes(name) ? ['fails', 'fails-after', 'dies'] : [...FAULTS];
}

/** Error that stops a dead background worker. No caller receives it. */
class Dead extends Error {
  override name = 'Dead';
}

/**
 * Counts all external calls (database and browser) of a background worker and makes one of them fail. A dead worker's
 * code cannot be stopped, so its later calls have no effect.
 */
export class Gate {
  calls: string[] = [];
  /** Number of calls so far. Tests compare two values to see if any calls happened in between. */
  activity = 0;
  isDead = false;
  died = () => {};
  #fault: { at: number; how: Fault } | null = null;
  #armed = false;
  #worker = 0;

  /** Starts to count calls at 1. The call with number `at` fails. */
  arm(fault: { at: number; how: Fault } | null): void {
    this.calls = [];
    this.#fault = fault;
    this.#armed = true;
  }

  disarm(): void {
    this.#armed = false;
  }

  /** Starts a new background worker. Pending calls of the previous worker have no effect. */
  revive(): void {
    this.isDead = false;
    this.#worker += 1;
  }

  die(): void {
    this.isDead = true;
    this.died();
  }

  passed(): void {
    this.activity += 1;
  }

  async call<T>(name: string, work: () => Promise<T>): Promise<T> {
    const worker = this.#worker;
    const fault = this.check(name);
    if (fault === 'fails') throw failure(name);
    const result = await work();
    this.passed();
    if (fault === 'dies-after') this.die();
    if (this.isDead || worker !== this.#worker) throw new Dead(name);
    if (fault !== null) throw new Error(`${name} failed, though its work was done`);
    return result;
  }

  /**
   * Counts a call and returns its fault, if any. The caller applies the fault.
   *
   * @throws Dead if the background worker is dead or dies at this call
   */
  check(name: string): Exclude<Fault, 'dies'> | null {
    this.activity += 1;
    if (this.isDead) throw new Dead(name);
    if (!this.#armed) return null;
    const fault = this.#fault?.at === this.calls.push(name) ? this.#fault.how : null;
    if (fault !== 'dies') return fault;
    this.die();
    throw new Dead(name);
  }
}

export function failure(name: string): DOMException {
  return new DOMException(`${name} failed`, 'UnknownError');
}
