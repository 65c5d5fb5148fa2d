/**
 * What happens at one call: it fails before it does anything; it does its work and fails then (an answer is lost, a
 * transaction is aborted); the worker dies before it, or after it.
 */
export const FAULTS = ['fails', 'fails-after', 'dies', 'dies-after'] as const;
export type Fault = (typeof FAULTS)[number];

/** Calls that change nothing outside. */
const READS =
  /^(open|transaction|get|getAll|getAllKeys|openCursor|\w+\.(get|getAll|contains|getSessionRules|getContexts))$/;

/** What changes nothing before its transaction is committed. */
const WRITES = ['put', 'add', 'delete', 'clear'];

/** The faults that are different things at a call of this name: after a read they are what they were before it. */
export function faultsAt(name: string): Fault[] {
  if (READS.test(name)) return ['fails', 'dies'];
  return WRITES.includes(name) ? ['fails', 'fails-after', 'dies'] : [...FAULTS];
}

/** Its worker is dead: nobody hears of this. */
class Dead extends Error {
  override name = 'Dead';
}

/**
 * Every call that a worker makes outside passes through here. It counts them, and lets one of them go wrong. A dead worker's
 * code cannot be stopped in its tracks: whatever it still calls does nothing.
 */
export class Gate {
  /** What was called, in order, while the gate was armed. */
  calls: string[] = [];
  /** Goes up with everything that passes, so that it can be seen when nothing does any more. */
  activity = 0;
  isDead = false;
  /** Called when the worker dies. */
  died = () => {};
  #fault: { at: number; how: Fault } | null = null;
  #armed = false;
  #worker = 0;

  /** Counts from now on; the call number `at` (1, 2, 3 …) goes wrong. */
  arm(fault: { at: number; how: Fault } | null): void {
    this.calls = [];
    this.#fault = fault;
    this.#armed = true;
  }

  disarm(): void {
    this.#armed = false;
  }

  /** Another worker takes over. What the one before still waits for does it no good any more. */
  revive(): void {
    this.isDead = false;
    this.#worker += 1;
  }

  die(): void {
    this.isDead = true;
    this.died();
  }

  /** Something came back from outside. */
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
   * Counts a call, and gives what goes wrong with it; the caller sees to that.
   *
   * @throws Dead where the worker is dead, or dies of this call
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
