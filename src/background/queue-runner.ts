import { networkReturned } from '../queue/cancel-retry-pause.ts';
import { recover } from '../queue/crash-recovery.ts';
import { nextStep } from '../queue/next-step.ts';
import type { Connection, Queue } from '../queue/types.ts';
import type { LinkLookup } from '../storage/link-queries.ts';
import { PrivateMemoryFull } from '../storage/private-memory.ts';
import type { Rule } from '../storage/store.ts';
import { endedBy } from './results/finished-requests.ts';
import { type StepDependencies, StepRunner } from './send-or-probe.ts';

/** When a background that died while it sent is woken, in milliseconds: later than any send may take. */
const BACKSTOP_MS = 30_000;

/** When the background is next needed: `at` a time (null: none is known), or as soon as the network is back. */
export interface Wake {
  at: number | null;
  whenOnline: boolean;
}

export interface RunnerDependencies extends StepDependencies {
  wake: (wake: Wake) => Promise<void>;
  sleep: () => Promise<void>;
}

/**
 * Serves every queue, one step at a time, for as long as it has a step to take. Queues do not wait for each other; each has
 * at most one attempt in flight. One alarm stands for all of them, at the earliest time that anything is due.
 */
export class QueueRunner {
  readonly #dependencies: RunnerDependencies;
  readonly #steps: StepRunner;
  /** Queues taken over from the worker before, one after the other. */
  readonly #recovered = new Set<string>();
  #recovering: Promise<unknown> = Promise.resolve();
  /** The queues being served now; `again`: something has happened since. */
  readonly #loops = new Map<string, { again: boolean; done: Promise<void> }>();
  /** When each queue that waits is to be served again; null: as soon as the network is back. */
  readonly #due = new Map<string, number | null>();
  /** When a run that could read nothing is tried again; null: the last one could. */
  #retryAt: number | null = null;
  #wasOffline = false;

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies;
    this.#steps = new StepRunner(dependencies);
  }

  /** Takes over from the worker before, and reads every queue. Whoever is about to change a queue awaits it. */
  recovered(): Promise<Queue[]> {
    const recovered = this.#recovering.then(() => this.#recover());
    this.#recovering = recovered.catch(() => undefined);
    return recovered;
  }

  /** Something may be due: serves every queue until nothing is. Callers at one time share the work. */
  async run(): Promise<void> {
    try {
      const ids = (await this.recovered()).map(({ connection }) => connection.id);
      await this.#noticeNetwork();
      for (const id of this.#due.keys()) if (!ids.includes(id)) this.#due.delete(id);
      this.#retryAt = null;
      if (ids.length === 0) await this.#arm();
      await Promise.all(ids.map((id) => this.#serve(id)));
    } catch (error) {
      this.#retryAt = this.#dependencies.clock().now + BACKSTOP_MS;
      await this.#arm();
      throw error;
    }
  }

  /**
   * Lets `rule` decide on a queue, as the store does, and sends at once what is due then. Answers what the rule did, as soon
   * as that is on disk; null: there is no such connection.
   */
  async decide<T>(connection: Connection, rule: Rule<T>, about: LinkLookup): Promise<T | null> {
    const { id } = connection;
    if (this.#loops.has(id) || !this.#recovered.has(id)) return this.#dependencies.store.transact(id, rule, about);
    const { promise, resolve, reject } = Promise.withResolvers<T | null>();
    const first = async () => {
      const ready = await Promise.all([this.#steps.maySend(connection), this.#armBackstop(id)]).catch(() => []);
      const begun = await this.#steps.begin(connection, ready[0] ? 'send' : null, rule, about).catch((error) => {
        reject(error);
        // Refused before anything was written: the queue goes on as if nobody had asked.
        if (error instanceof PrivateMemoryFull) return null;
        throw error;
      });
      resolve(begun?.value ?? null);
      await begun?.finish();
    };
    // What fails later leaves the queue to whoever runs it next.
    this.#serve(id, first).catch(reject);
    return promise;
  }

  /** The network is back: drops the back-off of every queue that its absence caused. */
  async networkReturned(): Promise<void> {
    await this.#dependencies.store.transactEach((queue) => ({ queue: networkReturned(queue), value: null }));
  }

  async #recover(): Promise<Queue[]> {
    const { store } = this.#dependencies;
    const queues = await store.queues();
    const isNew = ({ connection }: Queue) => !this.#recovered.has(connection.id);
    if (!queues.some(isNew)) return queues;
    const taken = await store.transactEach((queue, time) => {
      const next = isNew(queue) ? recover(queue, time) : queue;
      return { queue: next, value: { queue: next, ended: endedBy(queue, next) } };
    });
    for (const { queue } of taken) this.#recovered.add(queue.connection.id);
    for (const { ended } of taken) this.#steps.report(ended);
    return taken.map(({ queue }) => queue);
  }

  /** Chromium tells no worker that the network is back, so every run looks whether it is. */
  async #noticeNetwork(): Promise<void> {
    const online = this.#dependencies.online();
    if (online && this.#wasOffline) await this.networkReturned();
    this.#wasOffline = !online;
  }

  /** `first`: what is done before all else, where nobody serves the queue yet. */
  #serve(id: string, first?: () => Promise<void>): Promise<void> {
    const running = this.#loops.get(id);
    if (running) {
      running.again = true;
      return running.done;
    }
    const loop = { again: true, done: Promise.resolve() };
    this.#loops.set(id, loop);
    loop.done = this.#loop(id, loop, first);
    return loop.done;
  }

  async #loop(id: string, loop: { again: boolean }, first?: () => Promise<void>): Promise<void> {
    try {
      // A queue that was added a moment ago: taken over from now, it is not taken over from in the middle of a send.
      if (!this.#recovered.has(id)) await this.recovered();
      await first?.();
      while (loop.again) {
        loop.again = false;
        while (await this.#step(id));
        await this.#arm();
      }
    } catch (error) {
      // Whatever was in flight has no end now: the next run takes over from this one as from a worker before.
      this.#recovered.delete(id);
      await this.#armBackstop(id);
      throw error;
    } finally {
      // In the same moment as `again` was read last: whoever comes later begins a loop of its own.
      this.#loops.delete(id);
    }
  }

  /** Takes the next step of a queue. False where there is none to take now. */
  async #step(id: string): Promise<boolean> {
    const { store, clock } = this.#dependencies;
    const queue: Queue | null = await store.queue(id);
    // Whatever the queue has to do: where access was granted, nobody is to be asked for it.
    if (queue?.state.halt === 'permission' && (await this.#steps.endHaltOfPermission(queue.connection))) return true;
    const step = queue ? nextStep(queue, clock(), this.#steps.surroundings(queue)) : null;
    if (!queue || !step || step.kind === 'idle' || step.kind === 'on_hold' || step.kind === 'halted') {
      this.#due.delete(id);
      return false;
    }
    if (step.kind === 'wait') {
      this.#due.set(id, step.until);
      return false;
    }
    await this.#armBackstop(id);
    await this.#steps.take(queue.connection, step);
    return true;
  }

  /** A background that dies on the way has to wake again, to say what became of it. */
  #armBackstop(id: string): Promise<void> {
    this.#due.set(id, this.#dependencies.clock().now + BACKSTOP_MS);
    return this.#arm();
  }

  /** Sets the one alarm. */
  #arm(): Promise<void> {
    const times = [...this.#due.values(), ...(this.#retryAt === null ? [] : [this.#retryAt])];
    if (times.length === 0) return this.#dependencies.sleep();
    const known = times.filter((at) => at !== null);
    const at = known.length === 0 ? null : Math.min(...known);
    return this.#dependencies.wake({ at, whenOnline: known.length < times.length });
  }
}
