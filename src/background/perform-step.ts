import type { CodeGeneration } from '../queue/codes.ts';
import { type Finished, finishedBetween, finishedLink } from '../queue/finished.ts';
import { nextStep, type Step, type Surroundings } from '../queue/next-step.ts';
import { applyProbe } from '../queue/probe.ts';
import { applyLookUp, applyResult, blockForPermission, linkOf, unblock } from '../queue/result.ts';
import { newLinkOf, postOf, startSend } from '../queue/sending.ts';
import type { Connection, Link, Queue, Request } from '../queue/types.ts';
import { markUncertain } from '../queue/user-actions.ts';
import type { AttemptResult, CreateRequest, Destination, Found, NewLink, ProbeResult } from '../servers/adapter.ts';
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
  send: (target: Target, post: CreateRequest) => Promise<AttemptResult>;
  probe: (target: Target) => Promise<ProbeResult>;
  lookUp: (target: Target, link: NewLink) => Promise<Found>;
  /**
   * Reports requests that have finished or need the user's attention. The queue runner does not wait for this call.
   */
  onFinished: (finished: Finished) => void;
}

export class StepPerformer {
  readonly #dependencies: StepDependencies;

  constructor(dependencies: StepDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the information that `nextStep` needs in addition to the queue: the state of the browser and of this
   * background worker.
   */
  async surroundings(connection: Connection): Promise<Surroundings> {
    const { online, permitted } = this.#dependencies;
    return { online: online(), isPermitted: await permitted(connection) };
  }

  /**
   * Decides on the next step of a queue and applies it, in one change. Then calls the service if the step needs it.
   * Does nothing if the address has changed since `around` was read.
   */
  async perform(connection: Connection, around: Surroundings): Promise<void> {
    const { store, generation, onFinished } = this.#dependencies;
    const taken = await store.update(connection.id, (queue, { now, apiKey }) => {
      if (queue.connection.baseUrl !== connection.baseUrl) return { queue, result: null };
      const step = nextStep(queue, now, around);
      const after = applyStep(queue, step, now, generation);
      const target = { baseUrl: connection.baseUrl, apiKey, connection: after.connection, now };
      const finished = finishedBetween(queue, after, [], now);
      return { queue: after, result: { step, after, target, finished, erasures: store.erasures } };
    });
    if (!taken) return;
    const { step, after, target, finished, erasures } = taken;
    if (finished) onFinished(finished);
    if (step.kind === 'probe') await this.#probe(target);
    if (step.kind === 'look_up') await this.#lookUp(target, after, step.requestId);
    if (step.kind === 'send') await this.#send(target, after, erasures);
  }

  /** Sends the requests that have just been started, and applies the result. */
  async #send(target: Target, { requests }: Queue, erasures: number): Promise<void> {
    const { send, newId } = this.#dependencies;
    const sent = requests.filter(({ state }) => state === 'sending');
    const result = await send(target, postOf(sent, target.connection, newId()));
    const isApplied = await this.#applyResult(target, sent, result);
    if (!isApplied) await this.#saveLateLinks(sent, result, erasures);
  }

  /** Returns false if the connection no longer exists. */
  async #applyResult({ connection, baseUrl }: Target, sent: Request[], result: AttemptResult): Promise<boolean> {
    const { store, random, onFinished } = this.#dependencies;
    const applied = await store.update(connection.id, (queue, { now }) => {
      const { queue: after, links } = applyResult(queue, sent, result, now, random());
      // If the connection's address has changed in the meantime, the links belong to the previous service. They are
      // then stored without a connection.
      const isSameAddress = queue.connection.baseUrl === baseUrl;
      const stored = isSameAddress ? links : links.map((link) => ({ ...link, connectionId: null }));
      const finished = finishedBetween(queue, after, stored, now);
      return { queue: after, links: stored, result: { finished } };
    });
    if (!applied) return false;
    if (applied.finished) onFinished(applied.finished);
    return true;
  }

  /**
   * Stores the links of a response that arrived after its connection was deleted. These links belong to no connection.
   * If the user has deleted all data in the meantime, no link is stored.
   *
   * @param sent the requests as they were sent
   * @param erasures value of the store's `erasures` when the requests were sent
   */
  async #saveLateLinks(sent: Request[], { items }: AttemptResult, erasures: number): Promise<void> {
    const { store, onFinished } = this.#dependencies;
    const finished = await store.updateAll((all, now) => {
      const created = sent.flatMap((request, index) => {
        const item = items[index];
        if (item?.kind !== 'created' || store.erasures !== erasures) return [];
        return [{ request, link: { ...linkOf(request, item.shortUrl, now, index), connectionId: null } }];
      });
      const links = created.map(({ link }) => link);
      return { all, links, result: created.map(({ request, link }) => finishedLink(link, request, now)) };
    });
    if (finished.length > 0) onFinished({ links: finished, stuck: [], listIds: [] });
  }

  /** Asks the service for the link that a request without an answer may have created. */
  async #lookUp(target: Target, { requests }: Queue, id: string): Promise<void> {
    const { lookUp, random } = this.#dependencies;
    const request = requests.find((one) => one.id === id);
    if (!request) return;
    const found = await lookUp(target, newLinkOf(request, target.connection));
    await this.#updateIfSame(target, (queue, now) => applyLookUp(queue, id, found, now, random()));
  }

  async #probe(target: Target): Promise<void> {
    const { probe, random } = this.#dependencies;
    const found = await probe(target);
    await this.#updateIfSame(target, (queue, now) => ({ queue: applyProbe(queue, found, now, random()), links: [] }));
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
}

/** Applies the part of a step that changes the queue. Starting a send counts it against the limits. */
function applyStep(queue: Queue, step: Step, now: number, { randomBytes }: CodeGeneration): Queue {
  switch (step.kind) {
    case 'block':
      return blockForPermission(queue);
    case 'unblock':
      return { ...queue, state: unblock(queue.state, 'permission_granted') };
    case 'mark_uncertain':
      return markUncertain(queue, step.requestIds);
    case 'send':
      return startSend(queue, step.requestIds, randomBytes, now);
    default:
      return queue;
  }
}
