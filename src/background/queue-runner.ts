import browser from '../browser/browser.ts';
import { nextStep, type Step, type Surroundings } from '../queue/next-step.ts';
import { applyLookUp, applyProbe } from '../queue/probe.ts';
import { type AppliedResult, applyResult, type Finished, finishedBetween, unblock } from '../queue/result.ts';
import { isSameServer, newLinkOf, postOf, startSend } from '../queue/sending.ts';
import type { Connection, Queue, Request } from '../queue/types.ts';
import { markUncertain, networkReturned } from '../queue/user-actions.ts';
import type { AttemptResult, CreateRequest, Destination, Found, NewLink, ProbeResult } from '../servers/adapter.ts';
import type { Store } from '../storage/store.ts';

/**
 * Delay after which a new background worker starts if the current worker stops during an HTTP request. No HTTP
 * request takes longer than this delay.
 */
const BACKSTOP_MS = 30_000;

/** Delay after which the background worker checks again whether the browser is online. */
const NETWORK_CHECK_MS = 30_000;

/** Server to call. Its address and API key were read in one transaction, so they belong together. */
export interface Target extends Destination {
  connection: Connection;
  /** Current time in milliseconds. */
  now: number;
}

export interface RunnerDependencies {
  store: Store;
  clock: () => number;
  random: () => number;
  newId: () => string;
  online: () => boolean;
  permitted: (baseUrl: string) => Promise<boolean>;
  /** Resolves when a server may be called. */
  ready: Promise<unknown>;
  send: (target: Target, post: CreateRequest) => Promise<AttemptResult>;
  probe: (target: Target) => Promise<ProbeResult>;
  lookUp: (target: Target, link: NewLink) => Promise<Found>;
  /**
   * Reports requests that have finished or need the user's attention. The queue runner does not wait for this call.
   */
  onFinished: (finished: Finished) => void;
  /** Runs the queues again at a time, in milliseconds since the epoch. */
  wake: (at: number) => Promise<void>;
  sleep: () => Promise<void>;
}

interface Loop {
  /** True if the queue may have changed and must be checked again. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Works through all queues: loads a queue, decides on the next step and performs it, until no step is due. Queues run
 * in parallel; each queue sends one request at a time. A single alarm starts the background worker when the first
 * waiting queue is due.
 */
export class QueueRunner {
  readonly #dependencies: RunnerDependencies;
  readonly #loops = new Map<string, Loop>();
  /** Last work of each connection that calls its server. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Time at which each waiting queue must be checked again. */
  readonly #due = new Map<string, number>();
  /** Time at which to read the queues again after a failed read. Null if the last read succeeded. */
  #retryAt: number | null = null;
  #wasOffline = false;

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Works through all queues until each one is empty or has to wait. Concurrent calls share one run. */
  async run(): Promise<void> {
    try {
      const ids = (await this.#dependencies.store.queues()).map(({ connection }) => connection.id);
      // Chromium sends no `online` event to the background worker.
      const isOnline = this.#dependencies.online();
      if (isOnline && this.#wasOffline) await this.networkReturned();
      this.#wasOffline = !isOnline;
      for (const id of this.#due.keys()) if (!ids.includes(id)) this.#due.delete(id);
      this.#retryAt = null;
      if (ids.length === 0) await this.#setAlarm();
      await Promise.all(ids.map((id) => this.#serve(id)));
    } catch (error) {
      this.#retryAt = this.#dependencies.clock() + BACKSTOP_MS;
      await this.#setAlarm();
      throw error;
    }
  }

  /**
   * Runs work that calls a connection's server. The works of a connection run one after the other, so that each one
   * respects the limits that the one before has used.
   */
  takeTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? this.#dependencies.ready).then(work);
    const ended = turn.catch(() => undefined);
    this.#turns.set(id, ended);
    return turn;
  }

  /** Ends the retry delay of every queue whose service was unreachable. Called when the browser is back online. */
  async networkReturned(): Promise<void> {
    await this.#dependencies.store.updateAll((all) => ({
      all: { ...all, queues: all.queues.map(networkReturned) },
      result: null,
    }));
  }

  /** Starts a queue's loop. If the loop is already running, makes it check the queue again. */
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
      // A request may still be marked as being sent, so the queue must be recovered as if the background worker had
      // stopped.
      this.#dependencies.store.reload(id);
      await this.#setBackstop(id);
      throw error;
    } finally {
      // If no error occurred, there was no `await` after the last check of `again`. The flag is therefore still
      // false.
      this.#loops.delete(id);
    }
  }

  /** Performs a queue's next step. Returns false if there is nothing to do now. */
  async #performNextStep(id: string): Promise<boolean> {
    const { store, clock, online, permitted } = this.#dependencies;
    const queue = await store.queue(id);
    if (!queue) return this.#wait(id);
    const around = { online: online(), isPermitted: await permitted(queue.connection.baseUrl) };
    const step = nextStep(queue, clock(), around);
    if (step.kind === 'idle' || step.kind === 'paused' || step.kind === 'blocked') return this.#wait(id);
    if (step.kind === 'wait') return this.#wait(id, step.until ?? clock() + NETWORK_CHECK_MS);
    await this.#setBackstop(id);
    await this.takeTurn(id, () => this.#perform(queue.connection, around));
    return true;
  }

  /**
   * Decides on the next step of a queue and applies it, in one change. Then calls the service if the step needs it.
   * Does nothing if the address has changed since `around` was read.
   */
  async #perform(connection: Connection, around: Surroundings): Promise<void> {
    const { store, onFinished, probe, lookUp, send, newId, random } = this.#dependencies;
    const { erasures } = store;
    const taken = await store.update(connection.id, (queue, { now, apiKey }) => {
      if (queue.connection.baseUrl !== connection.baseUrl) return { queue, result: null };
      const step = nextStep(queue, now, around);
      const after = applyStep(queue, step, now);
      const target = { baseUrl: connection.baseUrl, apiKey, connection: after.connection, now };
      const finished = finishedBetween(queue, after, [], now);
      return { queue: after, result: { step, after, target, finished } };
    });
    if (!taken) return;
    const { step, after, target, finished } = taken;
    if (finished) onFinished(finished);
    if (step.kind === 'probe') {
      const found = await probe(target);
      await this.#apply(target, (queue, now) => ({ queue: applyProbe(queue, found, now, random()), links: [] }));
    }
    if (step.kind === 'look_up') {
      const request = after.requests.find(({ id }) => id === step.requestId) as Request;
      const found = await lookUp(target, newLinkOf(request, target.connection));
      await this.#apply(target, (queue, now) => applyLookUp(queue, request.id, found, now, random()));
    }
    if (step.kind === 'send') {
      const sent = after.requests.filter(({ state }) => state === 'sending');
      const result = await send(target, postOf(sent, target.connection, newId()));
      const apply = (queue: Queue, now: number) => applyResult(queue, sent, result, now, random());
      await this.#apply(target, apply, { queue: after, erasures });
    }
  }

  /**
   * Applies the result of a call to a server. If the user has changed the address, the API key or the kind since the call
   * began, it is not applied, except that a created link is stored. If its server is no longer connected, the link has no
   * connection.
   *
   * @param sent state when a send began, which replaces the queue if the connection has been removed. Null for calls
   * that create no link.
   */
  async #apply(
    { connection, baseUrl }: Target,
    rule: (queue: Queue, now: number) => AppliedResult,
    sent: { queue: Queue; erasures: number } | null = null,
  ): Promise<void> {
    const { store, onFinished } = this.#dependencies;
    const { id } = connection;
    const write = () =>
      store.updateAll((all, now) => {
        const stored = all.queues.find(({ connection }) => connection.id === id);
        const before = stored ?? (sent?.erasures === store.erasures ? sent.queue : null);
        const isSameAddress = stored?.connection.baseUrl === baseUrl;
        const isCurrent = stored && isSameServer(stored.connection, connection);
        if (!before || !(sent || isCurrent)) return { all, result: null };
        const { queue, links: made } = rule(before, now);
        const links = isSameAddress ? made : made.map((link) => ({ ...link, connectionId: null }));
        const queues = all.queues.map((one) => (one === stored ? queue : one));
        // The other requests of a removed connection were canceled, so that only its links are reported.
        const after = stored ? queue : before;
        return { all: { ...all, queues }, links, result: finishedBetween(before, after, links, now) };
      });
    // The write is repeated once, because some servers cannot give the same answer again.
    const finished = await write().catch(write);
    if (finished) onFinished(finished);
  }

  /** Records when a queue must be checked again. If `until` is undefined, the queue waits for an event. */
  #wait(id: string, until?: number): false {
    if (until === undefined) this.#due.delete(id);
    else this.#due.set(id, until);
    return false;
  }

  /** Sets an alarm that starts a new background worker if the browser stops the current worker. */
  #setBackstop(id: string): Promise<void> {
    this.#due.set(id, this.#dependencies.clock() + BACKSTOP_MS);
    return this.#setAlarm();
  }

  #setAlarm(): Promise<void> {
    const times = [...this.#due.values(), ...(this.#retryAt === null ? [] : [this.#retryAt])];
    return times.length === 0 ? this.#dependencies.sleep() : this.#dependencies.wake(Math.min(...times));
  }
}

/** Applies the part of a step that changes the queue. Starting a send counts it against the limits. */
function applyStep(queue: Queue, step: Step, now: number): Queue {
  switch (step.kind) {
    case 'block':
      return { ...queue, state: { ...queue.state, blocked: 'permission' } };
    case 'unblock':
      return { ...queue, state: unblock(queue.state, 'permission') };
    case 'mark_uncertain':
      return markUncertain(queue, step.requestIds);
    case 'send':
      return startSend(queue, step.requestIds, now);
    default:
      return queue;
  }
}

const ALARM = 'queue';
/** Minimum alarm delay that all supported browsers accept. */
const MIN_ALARM_MS = 30_000;
/**
 * Maximum time between two alarms while a queue is waiting. It limits how late a queue resumes if the user sets the
 * computer's clock back. Chromium's alarms follow the clock, so a queue may resume later there.
 */
const MAX_SLEEP_MS = 5 * 60_000;
/** Maximum delay that `setTimeout` supports (a signed 32-bit integer). The browser alarm covers longer waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns functions that call `run` at a time, or no longer. They use a timer, and a browser alarm as a backup, because a
 * timer ends when the browser stops the background worker.
 */
export function createAlarm(run: () => void): Pick<RunnerDependencies, 'wake' | 'sleep'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    wake: async (at) => {
      clearTimeout(timer);
      const delay = Math.max(0, at - Date.now());
      timer = setTimeout(run, Math.min(delay, MAX_TIMER_MS));
      const alarmIn = Math.min(MAX_SLEEP_MS, Math.max(MIN_ALARM_MS, delay));
      await browser.alarms.create(ALARM, { delayInMinutes: alarmIn / 60_000, periodInMinutes: MAX_SLEEP_MS / 60_000 });
    },
    sleep: async () => {
      clearTimeout(timer);
      await browser.alarms.clear(ALARM);
    },
  };
}
