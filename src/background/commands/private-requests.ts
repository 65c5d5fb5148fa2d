import type {
  PrivateCommand,
  PrivatePlan,
  PrivateRequest,
  PrivateResult,
  RefusalCode,
  Reply,
} from '../../messages/protocol.ts';
import { acceptRequests } from '../../queue/accept.ts';
import { nextStep, type Surroundings } from '../../queue/next-step.ts';
import { applyResult, unblock } from '../../queue/result.ts';
import { freeze, postOf, startSend } from '../../queue/sending.ts';
import type { Queue, Request } from '../../queue/types.ts';
import { endGuessedDelay } from '../../queue/user-actions.ts';
import { needsLookUp } from '../../servers/capabilities.ts';
import type { RunnerDependencies, Target } from '../queue-runner.ts';
import { prepare } from './shorten-command.ts';

/** Maximum time that a request waits until the limits of its server allow it. */
const MAX_WAIT_MS = 10_000;

export interface PrivateDependencies
  extends Pick<RunnerDependencies, 'store' | 'random' | 'newId' | 'online' | 'permitted' | 'send'> {
  waitForFirstSync: (connectionId: string) => Promise<void>;
  /** Runs work while the queue of the connection sends nothing. */
  takeTurn: <T>(connectionId: string, work: () => Promise<T>) => Promise<T>;
  wait: (ms: number) => Promise<void>;
  changed: () => void;
}

/** A send that is counted against the limits on disk. */
interface Started {
  target: Target;
  /** Copy of the queue that contains only the request. */
  copy: Queue;
}

type Answer = Reply<PrivateResult>;

/**
 * Sends requests from private windows. Each request is sent at once or refused, and is never repeated automatically.
 * Only the time of the send and the state of the server are stored, because they count against the limits.
 */
export class PrivateRequests {
  readonly #dependencies: PrivateDependencies;

  constructor(dependencies: PrivateDependencies) {
    this.#dependencies = dependencies;
  }

  /** Prepares and sends a request from a menu or a shortcut. */
  async shorten(command: PrivateCommand): Promise<Answer> {
    const planned = await this.prepare(command);
    if (!planned.ok || 'link' in planned.value) return planned as Answer;
    return this.send(planned.value);
  }

  /**
   * Chooses the server and the content of a request, which then never change. The caller keeps them, so that it can send
   * the same request again. Replies with the link if the URL already has one.
   */
  async prepare({ id, url, title, anew, options, connectionId }: PrivateCommand): Promise<Reply<PrivatePlan>> {
    const { store } = this.#dependencies;
    const prepared = await prepare(this.#dependencies, { connectionId, options, anew, orders: [{ id, url, title }] });
    if ('code' in prepared) return refuse(prepared.code);
    const { connection, clean, lookup, defaults } = prepared;
    const accept = { anew, options, listId: null, expiry: defaults.expiry, saveTitles: false };
    const planned = await store.update<Reply<PrivatePlan>>(
      connection.id,
      (queue, { now, knownLinks }) => {
        const alone = { ...queue, requests: [] };
        const accepted = acceptRequests(alone, clean, { ...accept, source: 'popup' }, knownLinks, now);
        const [refused] = accepted.result.refused;
        if (refused) return { queue, result: refuse(refused.code) };
        const link = knownLinks.find((one) => one.id === accepted.result.existing[0]?.linkId);
        if (link) return { queue, result: done({ link, isNew: false }) };
        const [request] = accepted.queue.requests;
        if (!request) return { queue, result: refuse('internal') };
        const { baseUrl, lastFour } = queue.connection;
        const frozen = freeze(request, queue.connection, now);
        return { queue, result: done({ request: frozen, baseUrl, lastFour }) };
      },
      lookup,
    );
    return planned ?? refuse('no_connection');
  }

  /** Sends a prepared request. */
  async send(prepared: PrivateRequest): Promise<Answer> {
    const { takeTurn, changed } = this.#dependencies;
    const answer = await takeTurn(prepared.request.connectionId, () => this.#send(prepared));
    changed();
    return answer;
  }

  async #send(prepared: PrivateRequest): Promise<Answer> {
    const { store, random, send, newId } = this.#dependencies;
    const started = await this.#start(prepared);
    if (!('target' in started)) return started;
    const { target, copy } = started;
    const { requests } = copy;
    const response = await send(target, postOf(requests, target.connection, newId()));
    const apply = (queue: Queue, now: number) => applyResult({ ...queue, requests }, requests, response, now, random());
    const storing = store.update(target.connection.id, (queue, { now, apiKey }) => {
      const result = apply(queue, now);
      const isSame = queue.connection.baseUrl === target.baseUrl && apiKey === target.apiKey;
      const { connection, limits } = result.queue;
      // The id of a private request is not stored.
      const state = { ...result.queue.state, suspects: queue.state.suspects };
      return { queue: isSame ? { ...queue, connection, state, limits } : queue, result };
    });
    const applied = await storing.catch(() => null);
    // The connection may have been removed, or the database closed, in the meantime. The user still gets the result.
    const { links, queue } = applied ?? apply(copy, target.now);
    return links[0] ? done({ link: links[0], isNew: true }) : failed(queue, prepared);
  }

  /** Waits until the limits allow the request, and counts its send against them on disk. */
  async #start(prepared: PrivateRequest): Promise<Started | Answer> {
    const { store, wait, online, permitted } = this.#dependencies;
    const { connectionId } = prepared.request;
    for (let leftMs = MAX_WAIT_MS; ; ) {
      const queue = await store.queue(connectionId);
      if (!queue) return refuse('no_connection');
      const around = { online: online(), isPermitted: await permitted(queue.connection) };
      // The user may have changed the connection or paused the queue during the wait.
      const started = await store.update<Started | Answer | number>(connectionId, (queue, { now, apiKey }) => {
        const { connection } = queue;
        const isSame = connection.baseUrl === prepared.baseUrl && connection.lastFour === prepared.lastFour;
        if (!isSame) return { queue, result: prepared.wasSent ? LOST : refuse('try_later') };
        const request: Request = { ...prepared.request, state: 'waiting', retryAt: null, lookUpDue: false };
        const alone = { ...queue, requests: [request] };
        const obstacle = obstacleOf(alone, now, around, leftMs, prepared);
        if (obstacle !== null) return { queue, result: obstacle };
        const copy = startSend(alone, [request.id], now);
        const target = { baseUrl: connection.baseUrl, apiKey, connection, now };
        return { queue: { ...queue, state: copy.state, limits: copy.limits }, result: { target, copy } };
      });
      if (typeof started !== 'number') return started ?? refuse('no_connection');
      leftMs -= started;
      await wait(started);
    }
  }
}

/** Result of a repeated request whose server or API key has changed. The link may exist at the previous server. */
const LOST: Answer = done({ problem: { code: 'interrupted', message: '' }, isUncertain: true });

function refuse(code: RefusalCode): Reply<never> {
  return { ok: false, code };
}

function done<T>(value: T): Reply<T> {
  return { ok: true, value };
}

/** Returns the reason why a request created no link. The request does not wait, so a wait needs other words. */
function failed({ connection, requests: [request] }: Queue, prepared: PrivateRequest): Answer {
  const problem = request?.problem ?? { code: 'no_answer' as const, message: '' };
  if (problem.code === 'quota_exceeded') return refuse('quota_used');
  if (problem.code === 'throttled' || problem.code === 'busy') return refuse('try_later');
  const isUnsafe = request?.state === 'unknown' && needsLookUp(connection);
  // The server knows the key of a request that it refused, so another attempt needs a new request.
  const again = request?.state !== 'failed' && { ...prepared, ...(request && { request }), wasSent: true as const };
  return done({ problem, isUncertain: isUnsafe || request?.state === 'uncertain', ...(again && { again }) });
}

/**
 * Returns the time until the limits allow a send, or the reason why the queue of a private request prevents it. A delay
 * that the extension only guessed does not prevent a send that the user asks for.
 */
function obstacleOf(
  queue: Queue,
  now: number,
  around: Surroundings,
  maxWaitMs: number,
  prepared: PrivateRequest,
): number | Answer | null {
  const state = unblock(endGuessedDelay(queue).state, 'permission_granted');
  // A health check after a delay, or a link that may exist, would come before the limits.
  const wait = state.wait && state.wait.until > now ? state.wait : null;
  const requests = queue.requests.map((request) => ({ ...request, mayExist: false }));
  const step = nextStep({ ...queue, requests, state: { ...state, wait } }, now, around);
  switch (step.kind) {
    case 'block':
      return refuse('no_permission');
    case 'paused':
      return refuse('paused');
    case 'blocked': {
      if (step.reason === 'permission') return refuse('no_permission');
      if (step.reason === 'key_missing') return refuse('invalid_key');
      const problem = { code: step.reason, message: '' };
      return done({ problem, isUncertain: false, ...(prepared.wasSent && { again: prepared }) });
    }
    case 'wait': {
      if (step.reason === 'offline') return refuse('offline');
      const ms = (step.until ?? now) - now;
      if (step.reason !== 'quota' && ms <= maxWaitMs) return ms;
      return refuse(step.reason === 'quota' ? 'quota_used' : 'try_later');
    }
    default:
      return null;
  }
}
