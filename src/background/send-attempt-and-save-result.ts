import { blockForPermission, unblock } from '../queue/block-reasons.ts';
import { expire, markUncertain } from '../queue/cancel-retry-pause.ts';
import { nextStep, type Step, type Surroundings } from '../queue/next-step.ts';
import { applyProbe } from '../queue/results/apply-probe.ts';
import { applyResult, codeIn } from '../queue/results/apply-result.ts';
import { type Finished, finishedBetween, finishedLink } from '../queue/results/finished-requests.ts';
import { applyLateResult } from '../queue/results/late-result.ts';
import { applyLookUp, linksToLookUp } from '../queue/results/look-up-created-links.ts';
import { type CodeGeneration, withNeededCodes } from '../queue/short-code-generator.ts';
import { resendAttempt, startAttempt } from '../queue/start-attempt.ts';
import type { Attempt, Connection, Link, Queue } from '../queue/types.ts';
import type { AttemptResult, Destination, Found, NewLink, ProbeResult } from '../services/service-adapter.ts';
import type { Store } from '../storage/store.ts';
import type { ChangeContext } from '../storage/update-queues.ts';

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

export type ActiveStep = Exclude<Step, { kind: 'idle' | 'blocked' | 'paused' | 'wait' }>;

type SendStep = Extract<Step, { kind: 'send' | 'resend' }>;

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

  /** Performs a step. If the queue has changed since the step was chosen, does nothing. */
  async perform(connection: Connection, step: ActiveStep, around: Surroundings): Promise<void> {
    const { id } = connection;
    const ifSameService = (change: (queue: Queue) => Queue) => (queue: Queue) =>
      isSameService(queue.connection, connection) ? change(queue) : queue;
    switch (step.kind) {
      case 'block':
        return this.#update(id, ifSameService(blockForPermission));
      case 'unblock':
        return this.#update(
          id,
          ifSameService((queue) => ({ ...queue, state: unblock(queue.state, 'permission_granted') })),
        );
      case 'mark_uncertain':
        return this.#update(id, (queue) => markUncertain(queue, [step.attemptId]));
      case 'expire':
        return this.#update(id, (queue) => expire(queue, step.requestIds));
      case 'probe':
        return this.#probe(connection);
      case 'look_up':
        return this.#lookUp(connection, step.attemptId);
      default:
        return this.#send(connection, step, around);
    }
  }

  /**
   * Starts an attempt to create links, sends the request, and applies the result. The attempt is on disk before the
   * request is sent.
   */
  async #send(connection: Connection, step: SendStep, around: Surroundings): Promise<void> {
    const started = await this.#start(connection, step, around);
    if (!started) return;
    const result = await this.#dependencies.send(started.target, started.attempt);
    await this.#applyResult(connection.id, started.attempt, started.target, result);
  }

  /**
   * Starts an attempt to create links if that is still the queue's next step. Reads the address, the API key and the
   * request body in one transaction.
   */
  async #start(connection: Connection, step: SendStep, around: Surroundings) {
    const { store, newId, generation } = this.#dependencies;
    return store.update(connection.id, (queue, { now, apiKey }) => {
      const isUnchanged =
        isSameService(queue.connection, connection) &&
        JSON.stringify(nextStep(queue, now, around)) === JSON.stringify(step);
      if (!isUnchanged) return { queue, result: null };
      const started =
        step.kind === 'send'
          ? startAttempt(withNeededCodes(queue, step.requestIds, generation.randomBytes), step.requestIds, newId(), now)
          : resendAttempt(queue, step.attemptId, now);
      const attempt = started.attempts.find(({ inFlight }) => inFlight);
      const target = targetOf(started, apiKey, now);
      return { queue: started, result: attempt ? { attempt, target } : null };
    });
  }

  async #applyResult(id: string, attempt: Attempt, { baseUrl }: Destination, result: AttemptResult): Promise<void> {
    const { store, random, onFinished } = this.#dependencies;
    const [first] = result.items;
    if (attempt.private && first?.kind === 'created') await this.#markPrivate(first.shortUrl);
    const applied = await store.update(id, (queue, { now }) => {
      const { queue: after, links } = applyResult(queue, attempt, result, now, random());
      // If the connection's address has changed in the meantime, the links belong to the previous service. They are
      // then stored without a connection.
      const isSameAddress = queue.connection.baseUrl === baseUrl;
      const stored = isSameAddress ? links : links.map((link) => ({ ...link, connectionId: null }));
      const finished = finishedBetween(queue, after, stored, now);
      return { queue: after, links: stored, result: { finished, isSameAddress } };
    });
    if (!applied) return this.#applyLateResult(attempt, result);
    if (applied.isSameAddress) this.#noteReached(id, result.answered);
    if (applied.finished) onFinished(applied.finished);
  }

  /** Stores the links of a response that arrived after its connection was deleted. */
  async #applyLateResult(attempt: Attempt, result: AttemptResult): Promise<void> {
    if (!result.items.some(({ kind }) => kind === 'created')) return;
    const links = await this.#dependencies.store.updateAll((before, now) => {
      const { all, ended } = applyLateResult(before, attempt, result, now);
      const finished = ended.map(({ request, link }) => finishedLink(link, request, now));
      return { all, links: ended.map(({ link }) => link), result: finished };
    });
    if (links.length > 0) this.#dependencies.onFinished({ links, stuck: [], groupIds: [] });
  }

  /** Asks the service for the links that an unanswered attempt may have created. */
  async #lookUp(connection: Connection, attemptId: string): Promise<void> {
    const { store, lookUp, random, clock } = this.#dependencies;
    const [stored, queue] = await Promise.all([store.readWithKey(connection.id), store.queue(connection.id)]);
    const attempt = queue?.attempts.find(({ id }) => id === attemptId);
    if (!stored || !queue || !attempt || !isSameService(stored.connection, connection)) return;
    const target = targetOf({ ...queue, connection: stored.connection }, stored.apiKey, clock());
    const found = await lookUp(target, linksToLookUp(attempt, queue.requests));
    const [link] = found.values();
    if (attempt.private && link?.state === 'found') await this.#markPrivate(link.shortUrl);
    await this.#updateLinks(connection.id, (queue, { now, apiKey }) => {
      const isSame = apiKey === stored.apiKey && isSameService(queue.connection, connection);
      return isSame ? applyLookUp(queue, attemptId, found, now, random()) : { queue, links: [] };
    });
  }

  async #probe(connection: Connection): Promise<void> {
    const { store, probe, random, onFinished, clock } = this.#dependencies;
    const [stored, asked] = await Promise.all([store.readWithKey(connection.id), store.queue(connection.id)]);
    if (!stored || !asked || !isSameService(stored.connection, connection)) return;
    const found = await probe(targetOf({ ...asked, connection: stored.connection }, stored.apiKey, clock()));
    // If the user has changed the address or the API key in the meantime, the result is outdated and does not change
    // the queue.
    const finished = await store.update(connection.id, (queue, { now, apiKey }) => {
      const isSame = apiKey === stored.apiKey && isSameService(queue.connection, connection);
      const after = isSame ? applyProbe(queue, found, now, random()) : queue;
      return { queue: after, result: finishedBetween(queue, after, [], now) };
    });
    this.#noteReached(connection.id, found !== null);
    if (finished) onFinished(finished);
  }

  #update(id: string, change: (queue: Queue, context: ChangeContext) => Queue): Promise<void> {
    return this.#updateLinks(id, (queue, context) => ({ queue: change(queue, context), links: [] }));
  }

  async #updateLinks(
    id: string,
    change: (queue: Queue, context: ChangeContext) => { queue: Queue; links: Link[] },
  ): Promise<void> {
    const finished = await this.#dependencies.store.update(id, (before, context) => {
      const { queue, links } = change(before, context);
      return { queue, links, result: finishedBetween(before, queue, links, context.now) };
    });
    if (finished) this.#dependencies.onFinished(finished);
  }

  /**
   * Marks the short code of a link from a private window, so that later syncs do not store the link. Errors are
   * ignored, so that the user still receives the link.
   */
  #markPrivate(shortUrl: string): Promise<void> {
    return this.#dependencies.store.markPrivate(codeIn(shortUrl)).catch(() => undefined);
  }

  #noteReached(id: string, isReached: boolean): void {
    if (isReached) this.#reachedAt.set(id, this.#dependencies.clock());
    else this.#reachedAt.delete(id);
  }
}

function targetOf({ connection }: Queue, apiKey: string, now: number): Target {
  return { baseUrl: connection.baseUrl, apiKey, connection, now };
}

function isSameService(one: Connection, other: Connection): boolean {
  return one.id === other.id && one.baseUrl === other.baseUrl;
}
