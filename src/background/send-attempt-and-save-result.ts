import { blockForPermission, unblock } from '../queue/block-reasons.ts';
import { expire, markUncertain } from '../queue/cancel-retry-pause.ts';
import { nextStep, type Step, type Surroundings } from '../queue/next-step.ts';
import { applyProbe } from '../queue/results/apply-probe.ts';
import { applyResult } from '../queue/results/apply-result.ts';
import { type Finished, finishedBetween, finishedLink } from '../queue/results/finished-requests.ts';
import { applyLookUp, linksToLookUp } from '../queue/results/look-up-created-links.ts';
import { type CodeGeneration, withNeededCodes } from '../queue/short-code-generator.ts';
import { resendAttempt, startAttempt } from '../queue/start-attempt.ts';
import type { Attempt, Connection, Link, Queue } from '../queue/types.ts';
import type { AttemptResult, Destination, Found, NewLink, ProbeResult } from '../servers/adapter.ts';
import type { Store } from '../storage/store.ts';

/** Server to call. Its address and API key were read in one transaction, so they belong together. */
export interface Target extends Destination {
  connection: Connection;
  /** Current time in milliseconds. */
  now: number;
}

export interface StepDependencies {
  store: Store;
  clock: () => number;
  random: () => number;
  newId: () => string;
  generation: CodeGeneration;
  online: () => boolean;
  permitted: (connection: Connection) => Promise<boolean>;
  send: (target: Target, attempt: Attempt) => Promise<AttemptResult>;
  probe: (target: Target) => Promise<ProbeResult>;
  lookUp: (target: Target, links: Map<string, NewLink>) => Promise<Map<string, Found>>;
  /**
   * Reports requests that have finished or need the user's attention. The queue runner does not wait for this call.
   */
  onFinished: (finished: Finished) => void;
}

export class StepPerformer {
  readonly #dependencies: StepDependencies;
  /** Time of the last response from each connection's service. */
  readonly #reachedAt = new Map<string, number>();

  constructor(dependencies: StepDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the information that `nextStep` needs in addition to the queue: the state of the browser and of this
   * background worker.
   */
  async surroundings(connection: Connection): Promise<Surroundings> {
    const { online, permitted } = this.#dependencies;
    return {
      online: online(),
      reachedAt: this.#reachedAt.get(connection.id) ?? null,
      isPermitted: await permitted(connection),
    };
  }

  /**
   * Decides on the next step of a queue and applies it, in one change. Then calls the service if the step needs it.
   * Does nothing if the address has changed since `around` was read.
   */
  async perform(connection: Connection, around: Surroundings): Promise<void> {
    const { store, newId, generation, onFinished } = this.#dependencies;
    const taken = await store.update(connection.id, (queue, { now, apiKey }) => {
      if (queue.connection.baseUrl !== connection.baseUrl) return { queue, result: null };
      const step = nextStep(queue, now, around);
      const after = applyStep(queue, step, now, newId, generation);
      const target = { baseUrl: connection.baseUrl, apiKey, connection: after.connection, now };
      const finished = finishedBetween(queue, after, [], now);
      return { queue: after, result: { step, after, target, finished, erasures: store.erasures } };
    });
    if (!taken) return;
    const { step, after, target, finished, erasures } = taken;
    if (finished) onFinished(finished);
    if (step.kind === 'probe') await this.#probe(target);
    if (step.kind === 'look_up') await this.#lookUp(target, after, step.attemptId);
    if (step.kind === 'send' || step.kind === 'resend') await this.#send(target, after, erasures);
  }

  /** Sends the attempt that has just started, and applies the result. */
  async #send(target: Target, started: Queue, erasures: number): Promise<void> {
    const attempt = started.attempts.find(({ inFlight }) => inFlight);
    if (!attempt) return;
    const result = await this.#dependencies.send(target, attempt);
    const isApplied = await this.#applyResult(target.connection.id, attempt, target, result);
    if (!isApplied) await this.#saveLateLinks(started, attempt, result, erasures);
  }

  /** Returns false if the connection no longer exists. */
  async #applyResult(id: string, attempt: Attempt, { baseUrl }: Destination, result: AttemptResult): Promise<boolean> {
    const { store, random, onFinished } = this.#dependencies;
    const applied = await store.update(id, (queue, { now }) => {
      const { queue: after, links } = applyResult(queue, attempt, result, now, random());
      // If the connection's address has changed in the meantime, the links belong to the previous service. They are
      // then stored without a connection.
      const isSameAddress = queue.connection.baseUrl === baseUrl;
      const stored = isSameAddress ? links : links.map((link) => ({ ...link, connectionId: null }));
      const finished = finishedBetween(queue, after, stored, now);
      return { queue: after, links: stored, result: { finished, isSameAddress } };
    });
    if (!applied) return false;
    if (applied.isSameAddress) this.#noteReached(id, result.answered);
    if (applied.finished) onFinished(applied.finished);
    return true;
  }

  /**
   * Stores the links of a response that arrived after its connection was deleted. These links belong to no connection.
   * If the user has deleted all data in the meantime, no link is stored.
   *
   * @param started the queue when the attempt started
   * @param erasures value of the store's `erasures` when the attempt started
   */
  async #saveLateLinks(started: Queue, attempt: Attempt, result: AttemptResult, erasures: number): Promise<void> {
    const { store, random, onFinished } = this.#dependencies;
    const links = await store.updateAll((all, now) => {
      if (store.erasures !== erasures) return { all, result: [] };
      const created = applyResult(started, attempt, result, now, random()).links;
      const links = created.map((link) => ({ ...link, connectionId: null }));
      const finished = links.map((link) =>
        finishedLink(
          link,
          started.requests.find(({ id }) => id === link.id),
          now,
        ),
      );
      return { all, links, result: finished };
    });
    if (links.length > 0) onFinished({ links, stuck: [], groupIds: [] });
  }

  /** Asks the service for the links that an unanswered attempt may have created. */
  async #lookUp(target: Target, { attempts, requests }: Queue, attemptId: string): Promise<void> {
    const { lookUp, random } = this.#dependencies;
    const attempt = attempts.find(({ id }) => id === attemptId);
    if (!attempt) return;
    const found = await lookUp(target, linksToLookUp(attempt, requests));
    await this.#updateIfSame(target, (queue, now) => applyLookUp(queue, attemptId, found, now, random()));
  }

  async #probe(target: Target): Promise<void> {
    const { probe, random } = this.#dependencies;
    const found = await probe(target);
    await this.#updateIfSame(target, (queue, now) => ({ queue: applyProbe(queue, found, now, random()), links: [] }));
    this.#noteReached(target.connection.id, found !== null);
  }

  /** Changes a queue, unless the user has changed its address or API key since the call to the service began. */
  async #updateIfSame(
    { connection: { id }, baseUrl, apiKey }: Target,
    change: (queue: Queue, now: number) => { queue: Queue; links: Link[] },
  ): Promise<void> {
    const finished = await this.#dependencies.store.update(id, (before, context) => {
      const isSame = context.apiKey === apiKey && before.connection.baseUrl === baseUrl;
      if (!isSame) return { queue: before, result: null };
      const { queue, links } = change(before, context.now);
      return { queue, links, result: finishedBetween(before, queue, links, context.now) };
    });
    if (finished) this.#dependencies.onFinished(finished);
  }

  #noteReached(id: string, isReached: boolean): void {
    if (isReached) this.#reachedAt.set(id, this.#dependencies.clock());
    else this.#reachedAt.delete(id);
  }
}

/** Applies the part of a step that changes the queue. Starting an attempt counts it against the limits. */
function applyStep(queue: Queue, step: Step, now: number, newId: () => string, { randomBytes }: CodeGeneration): Queue {
  switch (step.kind) {
    case 'block':
      return blockForPermission(queue);
    case 'unblock':
      return { ...queue, state: unblock(queue.state, 'permission_granted') };
    case 'mark_uncertain':
      return markUncertain(queue, [step.attemptId]);
    case 'expire':
      return expire(queue, step.requestIds);
    case 'send':
      return startAttempt(withNeededCodes(queue, step.requestIds, randomBytes), step.requestIds, newId(), now);
    case 'resend':
      return resendAttempt(queue, step.attemptId, now);
    default:
      return queue;
  }
}
