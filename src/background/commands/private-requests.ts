import type {
  PrivateCommand,
  PrivatePlan,
  PrivateRequest,
  PrivateResult,
  RefusalCode,
  Reply,
} from '../../messages/protocol.ts';
import { acceptRequests } from '../../queue/accept.ts';
import type { CodeGeneration } from '../../queue/codes.ts';
import { remaining } from '../../queue/limits.ts';
import { isLocalService } from '../../queue/next-step.ts';
import { applyResult, codeTaken, linkOf } from '../../queue/result.ts';
import { freeze, newLinkOf, postOf, startSend } from '../../queue/sending.ts';
import type { Connection, Queue, Request } from '../../queue/types.ts';
import { needsLookUp } from '../../servers/capabilities.ts';
import type { RunnerDependencies, Target } from '../queue-runner.ts';
import { prepare } from './shorten-command.ts';

/** Maximum time that a request waits until the limits of its server allow it. */
const MAX_WAIT_MS = 10_000;

/** Time after a send in which a server that must be asked for the link may still be creating it. */
const SETTLED_AFTER_MS = 15_000;

export interface PrivateDependencies
  extends Pick<RunnerDependencies, 'store' | 'random' | 'newId' | 'online' | 'permitted' | 'send' | 'lookUp'> {
  generation: CodeGeneration;
  waitForFirstSync: (connection: Connection) => Promise<void>;
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
    const { store, generation, waitForFirstSync } = this.#dependencies;
    const prepared = await prepare(store, { connectionId, options, orders: [{ id, url, title }] });
    if ('code' in prepared) return refuse(prepared.code);
    const { connection, clean, lookup, defaults } = prepared;
    if (!anew) await waitForFirstSync(connection);
    const accept = { anew, options, listId: null, expiry: defaults.expiry, saveTitles: false };
    const planned = await store.update<Reply<PrivatePlan>>(
      connection.id,
      (queue, { now, knownLinks }) => {
        const alone = { ...queue, requests: [] };
        const accepted = acceptRequests(alone, clean, { ...accept, source: 'popup' }, knownLinks, generation, now);
        const [refused] = accepted.result.refused;
        if (refused) return { queue, result: refuse(refused.code) };
        const link = knownLinks.find((one) => one.id === accepted.result.existing[0]?.linkId);
        if (link) return { queue, result: done({ link, isNew: false }) };
        const [request] = accepted.queue.requests;
        if (!request) return { queue, result: refuse('internal') };
        const { baseUrl, lastFour } = queue.connection;
        const frozen = freeze(request, queue.connection, generation.randomBytes, now);
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
    const known = await this.#lookUp(prepared);
    if (known) return known;
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
    return links[0] ? done({ link: links[0], isNew: true }) : failed(queue.requests[0], prepared, target.now);
  }

  /** Waits until the limits allow the request, and counts its send against them on disk. */
  async #start(prepared: PrivateRequest): Promise<Started | Answer> {
    const { store, wait, online, permitted, generation } = this.#dependencies;
    const { request, sentAt } = prepared;
    const isLocal = isLocalService(prepared);
    for (let leftMs = MAX_WAIT_MS; ; ) {
      const queue = await store.queue(request.connectionId);
      if (!queue) return refuse('no_connection');
      if (!(await permitted(queue.connection))) return refuse('no_permission');
      if (!online() && !isLocal) return refuse('offline');
      // The user may have changed the connection or paused the queue during the wait.
      const started = await store.update<Started | Answer | number>(request.connectionId, (queue, { now, apiKey }) => {
        const { connection } = queue;
        if (!isSameServer(connection, prepared))
          return { queue, result: sentAt === undefined ? refuse('try_later') : LOST };
        const obstacle = obstacleOf(queue, now, leftMs, prepared);
        if (obstacle !== 0) return { queue, result: obstacle };
        const waiting = { ...queue, requests: [{ ...request, state: 'waiting' as const }] };
        const copy = startSend(waiting, [request.id], generation.randomBytes, now);
        const target = { baseUrl: connection.baseUrl, apiKey, connection, now };
        return { queue: { ...queue, state: copy.state, limits: copy.limits }, result: { target, copy } };
      });
      if (typeof started !== 'number') return started ?? refuse('no_connection');
      leftMs -= started;
      await wait(started);
    }
  }

  /**
   * Asks the server for the link of a request that was sent before, if the server requires this before another send.
   * Returns null if the request must be sent.
   */
  async #lookUp(prepared: PrivateRequest): Promise<Answer | null> {
    const { store, wait, permitted, lookUp } = this.#dependencies;
    const { request, sentAt } = prepared;
    const { connectionId } = request;
    if (sentAt === undefined) return null;
    const start = () =>
      store.update(connectionId, (queue, { now, apiKey }) => {
        const { connection } = queue;
        return { queue, result: { baseUrl: connection.baseUrl, apiKey, connection, now } };
      });
    const before = await start();
    if (!before || !needsLookUp(before.connection)) return null;
    // If the clock was set back, the last send seems to be in the future.
    await wait(Math.max(0, Math.min(sentAt, before.now) + SETTLED_AFTER_MS - before.now));
    const target = await start();
    if (!target || !isSameServer(target.connection, prepared)) return null;
    if (!(await permitted(target.connection))) return refuse('no_permission');
    const answer = await lookUp(target, newLinkOf(request, target.connection));
    if (answer.state === 'absent') return null;
    if (answer.state === 'found') return done({ link: linkOf(request, answer.shortUrl, target.now, 0), isNew: true });
    return failed(answer.state === 'taken' ? codeTaken(request) : undefined, prepared, target.now);
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

/** True if a connection still has the address and the API key that it had when a request was prepared. */
function isSameServer(connection: Connection, { baseUrl, lastFour }: PrivateRequest): boolean {
  return connection.baseUrl === baseUrl && connection.lastFour === lastFour;
}

/** Returns the reason why a request created no link. The request does not wait, so a wait needs other words. */
function failed(request: Request | undefined, prepared: PrivateRequest, now: number): Answer {
  const problem = request?.problem ?? { code: 'no_answer' as const, message: '' };
  if (problem.code === 'quota_exceeded') return refuse('quota_used');
  if (problem.code === 'throttled' || problem.code === 'busy') return refuse('try_later');
  const again = { ...prepared, sentAt: now, ...(request && { request }) };
  // The server knows the key of a request that it refused, so another attempt needs a new request.
  return done({ problem, isUncertain: request?.state === 'uncertain', ...(request?.state !== 'failed' && { again }) });
}

/**
 * Returns the time that the limits require before a send, or the reason why a connection's queue prevents it.
 *
 * @param maxWaitMs maximum time that the request may wait
 */
function obstacleOf(
  { state, limits }: Queue,
  now: number,
  maxWaitMs: number,
  prepared: PrivateRequest,
): number | Answer {
  const { blocked, paused, wait, lastEndedAt } = state;
  if (blocked === 'permission') return refuse('no_permission');
  if (blocked === 'key_missing') return refuse('invalid_key');
  if (blocked)
    return done({
      problem: { code: blocked, message: '' },
      isUncertain: false,
      ...(prepared.sentAt !== undefined && { again: prepared }),
    });
  if (paused) return refuse('paused');
  if (remaining(limits, now) <= 0) return refuse('quota_used');
  // A delay that the extension only guessed does not prevent a send that the user asks for.
  const isOrdered = wait && (wait.named || wait.reason === 'quota' || wait.reason === 'throttle');
  const gapEndsAt = lastEndedAt === null ? 0 : lastEndedAt + limits.gapMs;
  const ms = Math.max(gapEndsAt - now, isOrdered ? wait.until - now : 0, 0);
  return ms <= maxWaitMs ? ms : refuse(wait?.reason === 'quota' ? 'quota_used' : 'try_later');
}
