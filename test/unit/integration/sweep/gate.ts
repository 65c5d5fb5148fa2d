/**
 * Faults of a call: it fails before it does anything; it fails afterwards, as if its answer was lost; the worker dies
 * before it, or after it.
 */
export const FAULTS = ['fails', 'fails-after', 'dies', 'dies-after'] as const;
export type Fault = (typeof FAULTS)[number];

/** Calls that change nothing outside. */
const READS =
  /^(open|transaction|get|getAll|getAllKeys|openCursor|\w+\.(get|getAll|contains|getSessionRules|getContexts))$/;

/** Calls that change nothing before their transaction is committed. */
const WRITES = ['put', 'add', 'delete', 'clear'];

/** Returns the faults that differ for this call. After a read, a fault equals the one before it. */
export function faultsAt(name: string): Fault[] {
  if (READS.test(name)) return ['fails', 'dies'];
  return WRITES.includes(name) ? ['fails', 'fails-after', 'dies'] : [...FAULTS];
}

/** The worker is dead, so no caller receives this error. */
class Dead extends Error {
  override name = 'Dead';
}

/**
 * All outside calls of a worker pass through this gate, which counts them and makes one of them fail. The code of a
 * dead worker cannot be stopped, so its later calls do nothing.
 */
export class Gate {
  /** Names of the calls in order, while the gate was armed. */
  calls: string[] = [];
  /** Incremented with every call, so that a test can see when activity stops. */
  activity = 0;
  isDead = false;
  /** Called when the worker dies. */
  died = () => {};
  #fault: { at: number; how: Fault } | null = null;
  #armed = false;
  #worker = 0;

  /** Counts calls from now on. Call number `at` (1, 2, 3 …) fails. */
  arm(fault: { at: number; how: Fault } | null): void {
    this.calls = [];
    this.#fault = fault;
    this.#armed = true;
  }

  disarm(): void {
    this.#armed = false;
  }

  /** Another worker takes over. Pending calls of the previous one have no effect. */
  revive(): void {
    this.isDead = false;
    this.#worker += 1;
  }

  die(): void {
    this.isDead = true;
    this.died();
  }

  /** Records that an outside call has returned. */
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
   * Counts a call and returns its fault, which the caller applies.
   *
   * @throws Dead if the worker is dead or dies at this call
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
