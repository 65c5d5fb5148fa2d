import { networkReturned } from '../queue/cancel-retry-pause.ts';
import { nextStep } from '../queue/next-step.ts';
import { type StepDependencies, StepPerformer } from './send-or-probe.ts';

/**
 * Delay after which the browser starts a new background worker if this worker stops while it sends. No request takes
 * longer.
 */
const BACKSTOP_MS = 30_000;

/** Time at which the background worker must run next. */
export interface Wake {
  /** Milliseconds since the epoch. Null if the background worker waits only for the network. */
  at: number | null;
  /** True if the background worker must also run as soon as the network is back. */
  whenOnline: boolean;
}

export interface RunnerDependencies extends StepDependencies {
  wake: (wake: Wake) => Promise<void>;
  sleep: () => Promise<void>;
}

interface Loop {
  /** True if the queue may have changed, so the loop must check it again. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Works through all queues: loads a queue, decides on the next step, and performs the step, until nothing is left to
 * do. Queues run in parallel. Each queue sends one request at a time. One alarm starts the background worker at the
 * earliest time that a queue waits for.
 */
export class QueueRunner {
  readonly #dependencies: RunnerDependencies;
  readonly #performer: StepPerformer;
  readonly #loops = new Map<string, Loop>();
  /** Time at which each waiting queue must be checked again. Null means as soon as the network is back. */
  readonly #due = new Map<string, number | null>();
  /** Time of the next try after the queues could not be read. Null if the last read succeeded. */
  #retryAt: number | null = null;
  #wasOffline = false;

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies;
    this.#performer = new StepPerformer(dependencies);
  }

  /** Works through all queues until each is empty or must wait. Concurrent calls share one run. */
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

  /** After the network has returned, ends the retry delay of every queue whose service was unreachable. */
  async networkReturned(): Promise<void> {
    await this.#dependencies.store.updateAll((all) => ({
      all: { ...all, queues: all.queues.map(networkReturned) },
      result: null,
    }));
  }

  /** Chromium sends no `online` event to the background worker, so every run checks the network. */
  async #noticeNetwork(): Promise<void> {
    const online = this.#dependencies.online();
    if (online && this.#wasOffline) await this.networkReturned();
    this.#wasOffline = !online;
  }

  /** Starts a queue's loop. If the loop is already running, the loop checks its queue again. */
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
      // A request may still be marked as being sent. Recover the queue, as after a stop of the background worker.
      this.#dependencies.store.recoverAgain(id);
      await this.#setBackstop(id);
      throw error;
    } finally {
      // The loop has not awaited anything since it read `again`, so a later call can safely start a new loop.
      this.#loops.delete(id);
    }
  }

  /** Performs a queue's next step. Returns false if the queue has nothing to do now. */
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

  /** Records when a queue must be checked again. Without `until`, the queue waits for an event. */
  #wait(id: string, until?: number | null): false {
    if (until === undefined) this.#due.delete(id);
    else this.#due.set(id, until);
    return false;
  }

  /** Sets the alarm that starts a new background worker if this worker stops during a step. */
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
