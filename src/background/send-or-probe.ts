import { unblock } from '../queue/block-reasons.ts';
import { expire, markUncertain } from '../queue/cancel-retry-pause.ts';
import type { Clock } from '../queue/limits/clock-changes.ts';
import { nextStep, type Step, type Surroundings } from '../queue/next-step.ts';
import { applyProbe, type ProbeResult } from '../queue/results/apply-probe.ts';
import { applyResult, codeIn } from '../queue/results/apply-result.ts';
import { applyLateResult } from '../queue/results/late-result.ts';
import { applyLookUp, codesToLookUp, type LookedUp } from '../queue/results/look-up-created-links.ts';
import { withoutConnectionClose } from '../queue/retry-backoff.ts';
import type { CodeGeneration } from '../queue/short-code-generator.ts';
import { resendAttempt, startAttempt } from '../queue/start-attempt.ts';
import type { Attempt, Connection, Queue, ServiceInfo, Time } from '../queue/types.ts';
import { type AttemptResult, isIdempotent } from '../services/service-adapter.ts';
import type { Destination } from '../services/terse/create-links.ts';
import type { LinkLookup } from '../storage/link-queries.ts';
import type { Rule, Store } from '../storage/store.ts';
import { type Completed, completedBy, completedLink, type Ended, endedBy } from './results/finished-requests.ts';

/** Everything outside that taking a step works with. */
export interface StepDependencies {
  store: Store;
  clock: Clock;
  /** A number in [0, 1). */
  random: () => number;
  newId: () => string;
  minting: CodeGeneration;
  online: () => boolean;
  permitted: (connection: Connection) => Promise<boolean>;
  /** Keeps the browser from sending a POST twice by itself: see `connection-close.ts`. */
  closeConnections: (baseUrl: string) => Promise<void>;
  send: (destination: Destination, attempt: Attempt) => Promise<AttemptResult>;
  /** `known`: the service document that was read before. */
  probe: (baseUrl: string, apiKey: string, known: ServiceInfo | null) => Promise<ProbeResult>;
  lookUp: (destination: Destination, codes: Map<string, string>) => Promise<Map<string, LookedUp>>;
  /** Requests have ended or need the person. Not waited for: whatever goes wrong with it, what waits is sent. */
  completed: (completed: Completed) => void;
}

/** What a rule answered, and how what has begun with it comes to its end. */
export interface Begun<T> {
  value: T;
  finish: () => Promise<void>;
}

/** Takes the steps that `nextStep` decides on, each in transactions of its own. */
export class StepRunner {
  readonly #dependencies: StepDependencies;
  readonly #reachedAt = new Map<string, number>();

  constructor(dependencies: StepDependencies) {
    this.#dependencies = dependencies;
  }

  /** What the rules have to know of this worker about a queue. */
  surroundings({ connection }: Queue): Surroundings {
    return { online: this.#dependencies.online(), reachedAt: this.#reachedAt.get(connection.id) ?? null };
  }

  /** Takes a step. Where the queue has moved on meanwhile, it does nothing: the next step is decided anew. */
  async take(connection: Connection, step: Step): Promise<void> {
    if (step.kind === 'leave') return this.#end(connection.id, (queue) => markUncertain(queue, [step.attemptId]));
    if (step.kind === 'expire') return this.#end(connection.id, (queue) => expire(queue, step.requestIds));
    if (step.kind === 'idle' || step.kind === 'halted' || step.kind === 'on_hold' || step.kind === 'wait') return;
    if (!(await this.#dependencies.permitted(connection))) {
      return this.#end(connection.id, (queue) =>
        isSameService(queue.connection, connection)
          ? { ...queue, state: { ...queue.state, halt: 'permission' } }
          : queue,
      );
    }
    // A service never read yet may be idempotent: its first probe finds out.
    const isUnknown = step.kind === 'probe' && connection.serviceReadAt === null;
    const closes = !isIdempotent(connection) && !isUnknown;
    // Before the probe already: it would leave an open socket behind, which the send then used.
    if (closes && !(await this.#closesSockets(connection))) return;
    if (step.kind === 'probe') return this.#probe(connection, closes);
    if (step.kind === 'look_up') return this.#lookUp(connection, step.attemptId);
    const begun = await this.begin(connection, step.kind, (queue) => ({ queue, value: null }));
    await begun?.finish();
  }

  /** Whether a send may begin without further ado. Where sockets have to be closed first, a probe comes first as well. */
  async maySend(connection: Connection): Promise<boolean> {
    return isIdempotent(connection) && this.#dependencies.permitted(connection);
  }

  /** Whether no socket is used twice. A browser that does not see to it holds the queue up, and the person is told. */
  async #closesSockets({ id, baseUrl }: Connection): Promise<boolean> {
    const { store, random, closeConnections } = this.#dependencies;
    try {
      await closeConnections(baseUrl);
      return true;
    } catch {
      await store.transact(id, (queue, time) => ({
        queue: withoutConnectionClose(queue, time, random()),
        value: null,
      }));
      return false;
    }
  }

  /**
   * Lets `rule` decide on a queue, and begins in the same transaction what is the next step then, where that is a send or
   * a resend as planned: one wait for the disk instead of two.
   *
   * @returns what the rule answered, and how what was begun comes to its end; null: there is no such connection
   */
  async begin<T>(
    connection: Connection,
    planned: Step['kind'] | null,
    rule: Rule<T>,
    about?: LinkLookup,
  ): Promise<Begun<T> | null> {
    const { store, newId } = this.#dependencies;
    const idempotent = isIdempotent(connection);
    // Connection, key and bytes of one moment: a key can never go to another address.
    const done = await store.transactWithKey(
      connection.id,
      (before, time, apiKey, known) => {
        const decided = rule(before, time, known);
        const { queue } = decided;
        // Between the plan and this transaction anything may have been accepted, cancelled or saved: it decides anew.
        const step = nextStep(queue, time, this.surroundings(queue));
        const same = isSameService(queue.connection, connection) && isIdempotent(queue.connection) === idempotent;
        const next = same && step.kind === planned ? beginStep(queue, step, newId(), time) : queue;
        const attempt = next === queue ? undefined : next.attempts.find(({ inFlight }) => inFlight);
        const destination = { baseUrl: connection.baseUrl, apiKey };
        return { ...decided, queue: next, value: { value: decided.value, attempt, destination } };
      },
      about,
    );
    if (!done) return null;
    const { value, attempt, destination } = done.value;
    return { value, finish: async () => attempt && this.#finish(connection.id, attempt, destination) };
  }

  async #finish(id: string, attempt: Attempt, destination: Destination): Promise<void> {
    const { store, send, minting, random, completed } = this.#dependencies;
    const outcome = await send(destination, attempt);
    // Its window may have closed meanwhile; private requests go alone. What cannot be noted is no reason to lose the answer.
    const [made] = outcome.items;
    if (attempt.private && made?.kind === 'created') await this.#markPrivate(made.shortUrl);
    const result = await store.transact(id, (queue, time) => {
      const settled = applyResult(queue, attempt, outcome, time, random(), minting);
      const sameAddress = queue.connection.baseUrl === destination.baseUrl;
      const links = sameAddress ? settled.links : settled.links.map((link) => ({ ...link, connectionId: null }));
      const done = completedBy(attempt, queue, settled.queue, links, time);
      return { queue: settled.queue, links, value: { done, sameAddress } };
    });
    if (!result) return this.#takeLate(attempt, outcome);
    if (result.sameAddress) this.#noteReached(id, outcome.answered);
    completed(result.done);
  }

  /** Stores the links of an answer that came after its connection was forgotten: their requests may have moved. */
  async #takeLate(attempt: Attempt, outcome: AttemptResult): Promise<void> {
    if (!outcome.items.some(({ kind }) => kind === 'created')) return;
    const links = await this.#dependencies.store.transactAll((before, time) => {
      const { all, ended } = applyLateResult(before, attempt, outcome, time);
      const value = ended.map(({ request, link }) => completedLink(link, request, time));
      return { all, links: ended.map(({ link }) => link), value };
    });
    if (links.length > 0) this.#dependencies.completed({ links, stuck: [], renamed: [], groupIds: [] });
  }

  #markPrivate(shortUrl: string): Promise<void> {
    return this.#dependencies.store.markPrivate(codeIn(shortUrl)).catch(() => undefined);
  }

  /** Asks the service for what an attempt may have made, and ends the requests whose links are there. */
  async #lookUp(connection: Connection, attemptId: string): Promise<void> {
    const { store, lookUp, completed } = this.#dependencies;
    const [asked, queue] = await Promise.all([store.readWithKey(connection.id), store.queue(connection.id)]);
    const attempt = queue?.attempts.find(({ id }) => id === attemptId);
    if (!asked || !queue || !attempt || !isSameService(asked.connection, connection)) return;
    const { baseUrl } = connection;
    const found = await lookUp({ baseUrl, apiKey: asked.apiKey }, codesToLookUp(attempt, queue.requests));
    const [made] = found.values();
    if (attempt.private && made) await this.#markPrivate(made.shortUrl);
    const result = await store.transactWithKey(connection.id, (before, time, apiKey) => {
      const same = apiKey === asked.apiKey && isSameService(before.connection, connection);
      const looked = same ? applyLookUp(before, attemptId, found, time) : { queue: before, links: [] };
      return { ...looked, value: completedBy(attempt, before, looked.queue, looked.links, time) };
    });
    if (result && result.value.links.length > 0) completed(result.value);
  }

  async #probe(connection: Connection, closes: boolean): Promise<void> {
    const { store, probe, random } = this.#dependencies;
    const asked = await store.readWithKey(connection.id);
    if (!asked || !isSameService(asked.connection, connection)) return;
    const found = await probe(connection.baseUrl, asked.apiKey, asked.connection.service);
    // What was found out of one address and key says nothing of others that have taken their place meanwhile.
    const probed = await store.transactWithKey(connection.id, (queue, time, apiKey) => {
      const same = apiKey === asked.apiKey && isSameService(queue.connection, connection);
      const next = same ? applyProbe(queue, found, time, random()) : queue;
      return { queue: next, value: { idempotent: isIdempotent(next.connection), ended: endedBy(queue, next) } };
    });
    // A service that does not honor keys and was probed on a socket that stays open is probed again, on one that is closed.
    const leftOpen = !closes && probed?.value.idempotent === false;
    this.#noteReached(connection.id, found !== null && !leftOpen);
    this.report(probed?.value.ended);
  }

  /** Ends requests without an answer, and reports them. */
  async #end(id: string, rule: (queue: Queue) => Queue): Promise<void> {
    const ended = await this.#dependencies.store.transact(id, (queue) => {
      const next = rule(queue);
      return { queue: next, value: endedBy(queue, next) };
    });
    this.report(ended);
  }

  /** Ends a halt for permission where the permission is there: the event of its grant may have been missed. */
  async endHaltOfPermission(connection: Connection): Promise<boolean> {
    if (!(await this.#dependencies.permitted(connection))) return false;
    await this.#dependencies.store.transact(connection.id, (queue) => {
      const isSame = isSameService(queue.connection, connection);
      return { queue: isSame ? { ...queue, state: unblock(queue.state, 'permission_granted') } : queue, value: null };
    });
    return true;
  }

  /** Reports what came to its end without an answer to an attempt, where anything did. */
  report(ended: Ended | null | undefined): void {
    if (ended && ended.stuck.length + ended.groupIds.length > 0)
      this.#dependencies.completed({ links: [], renamed: [], ...ended });
  }

  #noteReached(id: string, reached: boolean): void {
    if (reached) this.#reachedAt.set(id, this.#dependencies.clock().now);
    else this.#reachedAt.delete(id);
  }
}

function beginStep(queue: Queue, step: Step, id: string, time: Time): Queue {
  if (step.kind === 'send') return startAttempt(queue, step.requestIds, id, time);
  return step.kind === 'resend' ? resendAttempt(queue, step.attemptId, time) : queue;
}

function isSameService(one: Connection, other: Connection): boolean {
  return one.id === other.id && one.baseUrl === other.baseUrl;
}
