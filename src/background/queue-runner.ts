import { networkReturned } from '../queue/cancel-retry-pause.ts';
import { nextStep } from '../queue/next-step.ts';
import { type StepDependencies, StepPerformer } from './send-or-probe.ts';

/** Delay after which a new worker starts if this one dies while it sends. No send takes longer. */
const BACKSTOP_MS = 30_000;

/** Time at which the worker is needed next. */
export interface Wake {
  /** Null if no time is known. */
  at: number | null;
  /** True if the worker is also needed as soon as the network is back. */
  whenOnline: boolean;
}

export interface RunnerDependencies extends StepDependencies {
  wake: (wake: Wake) => Promise<void>;
  sleep: () => Promise<void>;
}

/** A loop that serves one queue. */
interface Loop {
  /** True if something changed since the loop last looked. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Serves every queue: load, decide the next step, perform it, until there is nothing to do. Queues run in parallel, each with
 * at most one attempt in flight. One alarm wakes the worker for the earliest wait of all queues.
 */
export class QueueRunner {
  readonly #dependencies: RunnerDependencies;
  readonly #performer: StepPerformer;
  readonly #loops = new Map<string, Loop>();
  /** Time at which each waiting queue is served again. Null: as soon as the network is back. */
  readonly #due = new Map<string, number | null>();
  /** Time of the next try after a run could not read the queues. Null if the last run could. */
  #retryAt: number | null = null;
  #wasOffline = false;

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies;
    this.#performer = new StepPerformer(dependencies);
  }

  /** Serves every queue until nothing is due. Concurrent calls share the work. */
  async run(): Promise<void> {
    try {
      const ids = (await this.#dependencies.store.queues()).map(({ connection }) => connection.id);
      await this.#noticeNetwork();
      for (const id of this.#due.keys()) if (!ids.includes(id)) this.#due.delete(id);
      this.#retryAt = null;
      if (ids.length === 0) await this.#setAlarm();
      await Promise.all(ids.map((id) => this.#serve(id)));
    } catch (error) {
      this.#retryAt = this.#dependencies.clock().now + BACKSTOP_MS;
      await this.#setAlarm();
      throw error;
    }
  }

  /** Ends the back-off of every queue that was unreachable, because the network is back. */
  async networkReturned(): Promise<void> {
    await this.#dependencies.store.updateAll((all) => ({
      all: { ...all, queues: all.queues.map(networkReturned) },
      result: null,
    }));
  }

  /** Chromium tells no worker that the network is back, so every run checks. */
  async #noticeNetwork(): Promise<void> {
    const online = this.#dependencies.online();
    if (online && this.#wasOffline) await this.networkReturned();
    this.#wasOffline = !online;
  }

  /** Starts the loop of a queue. If it is running, it looks at the queue again. */
  #serve(id: string): Promise<void> {
    const running = this.#loops.get(id);
    if (running) {
      running.again = true;
      return running.done;
    }
    const loop: Loop = { again: true, done: Promise.resolve() };
    this.#loops.set(id, loop);
    loop.done = this.#loop(id, loop);
    return loop.done;
  }

  async #loop(id: string, loop: Loop): Promise<void> {
    try {
      while (loop.again) {
        loop.again = false;
        while (await this.#performNextStep(id));
        await this.#setAlarm();
      }
    } catch (error) {
      // An attempt may be left in flight, as if this worker had died.
      this.#dependencies.store.recoverAgain(id);
      await this.#setBackstop(id);
      throw error;
    } finally {
      // No await since `again` was last read, so a later call starts a new loop.
      this.#loops.delete(id);
    }
  }

  /** Performs the next step of a queue. Returns false if there is nothing to do now. */
  async #performNextStep(id: string): Promise<boolean> {
    const { store, clock } = this.#dependencies;
    const queue = await store.queue(id);
    if (!queue) return this.#wait(id);
    const around = await this.#performer.surroundings(queue.connection);
    const step = nextStep(queue, clock(), around);
    if (step.kind === 'idle' || step.kind === 'paused' || step.kind === 'blocked') return this.#wait(id);
    if (step.kind === 'wait') return this.#wait(id, step.until);
    await this.#setBackstop(id);
    await this.#performer.perform(queue.connection, step, around);
    return true;
  }

  /** Notes when a queue is due. Without `until` only an event can make it due. */
  #wait(id: string, until?: number | null): false {
    if (until === undefined) this.#due.delete(id);
    else this.#due.set(id, until);
    return false;
  }

  /** Sets the alarm that starts a new worker if this one dies during a step. */
  #setBackstop(id: string): Promise<void> {
    this.#due.set(id, this.#dependencies.clock().now + BACKSTOP_MS);
    return this.#setAlarm();
  }

  #setAlarm(): Promise<void> {
    const times = [...this.#due.values(), ...(this.#retryAt === null ? [] : [this.#retryAt])];
    if (times.length === 0) return this.#dependencies.sleep();
    const known = times.filter((at) => at !== null);
    const at = known.length === 0 ? null : Math.min(...known);
    return this.#dependencies.wake({ at, whenOnline: known.length < times.length });
  }
}
