import { isLoopback } from '@terse/contract/connection-link';
import type { PrivateResult, PrivateShortenMessage, RefusalCode, Reply } from '../../messages/protocol.ts';
import { acceptRequests } from '../../queue/accept-requests.ts';
import { remaining } from '../../queue/limits.ts';
import { applyResult, codeTaken, linkOf } from '../../queue/results/apply-result.ts';
import { freeze, newLinkOf, postOf, startSend } from '../../queue/send-requests.ts';
import { randomBytes } from '../../queue/short-code-generator.ts';
import type { Connection, Problem, Queue, Request } from '../../queue/types.ts';
import { needsLookUp } from '../../servers/capabilities.ts';
import type { Target } from '../perform-step.ts';
import type { RunnerDependencies } from '../queue-runner.ts';
import { type Prepared, prepare } from './shorten-command.ts';

/** Maximum time that a request waits until the limits of its server allow it. */
const MAX_WAIT_MS = 10_000;

/** Time after a send in which a server that must be asked for the link may still be creating it. */
const SETTLED_AFTER_MS = 15_000;

export interface PrivateDependencies
  extends Pick<RunnerDependencies, 'store' | 'random' | 'newId' | 'online' | 'permitted' | 'send' | 'lookUp'> {
  waitForFirstSync: (connection: Connection) => Promise<void>;
  /** Runs work while the queue of the connection sends nothing. */
  takeTurn: <T>(connectionId: string, work: () => Promise<T>) => Promise<T>;
  wait: (ms: number) => Promise<void>;
  changed: () => void;
}

type Answer = Reply<PrivateResult>;

/** A request that nothing prevents from being sent after `waitMs`. */
interface Plan {
  target: Target;
  /** Copy of the queue that contains only this request. */
  copy: Queue;
  request: Request;
  waitMs: number;
}

/**
 * Sends requests from private windows. Each request is sent at once or refused, and is never repeated automatically.
 * Only the time of the send and the state of the server are stored, because they count against the limits.
 */
export class PrivateRequests {
  readonly #dependencies: PrivateDependencies;

  constructor(dependencies: PrivateDependencies) {
    this.#dependencies = dependencies;
  }

  /** Shortens one URL. The message's id is the idempotency key, so a repeated message creates no second link. */
  async shorten(message: PrivateShortenMessage): Promise<Answer> {
    const { store, online, permitted, waitForFirstSync, takeTurn, changed } = this.#dependencies;
    const prepared = await prepare(store, { ...message, orders: [message] });
    if ('code' in prepared) return refuse(prepared.code);
    const { connection } = prepared;
    if (!(await permitted(connection))) return refuse('no_permission');
    if (!online() && !isLoopback(new URL(connection.baseUrl).hostname)) return refuse('offline');
    if (!message.anew) await waitForFirstSync(connection);
    const answer = await takeTurn(connection.id, () => this.#send(message, prepared));
    changed();
    return answer;
  }

  async #send(message: PrivateShortenMessage, prepared: Prepared): Promise<Answer> {
    const { store, wait, random, send, newId } = this.#dependencies;
    const { connection } = prepared;
    const plan = await this.#plan(message, prepared);
    if ('ok' in plan) return plan;
    const { target, request, copy } = plan;
    const known = await this.#lookUp(plan, message.lastSentAt);
    if (known) return known;
    await wait(plan.waitMs);
    // The send is counted against the limits on disk before it starts.
    const started = await store.update(connection.id, (queue, { now }) => {
      const own = startSend({ ...queue, requests: copy.requests }, [request.id], randomBytes, now);
      return { queue: { ...queue, state: own.state, limits: own.limits }, result: own };
    });
    if (!started) return refuse('no_connection');
    const { requests } = started;
    const response = await send(target, postOf(requests, target.connection, newId()));
    const apply = (queue: Queue, now: number) => applyResult({ ...queue, requests }, requests, response, now, random());
    const storing = store.update(connection.id, (queue, { now, apiKey }) => {
      const result = apply(queue, now);
      const isSame = queue.connection.baseUrl === target.baseUrl && apiKey === target.apiKey;
      const { connection, limits } = result.queue;
      // The id of a private request is not stored, because its short code is derived from it.
      const state = { ...result.queue.state, suspects: queue.state.suspects };
      return { queue: isSame ? { ...queue, connection, state, limits } : queue, result };
    });
    const applied = await storing.catch(() => null);
    // The connection may have been removed, or the database closed, in the meantime. The user still gets the result.
    const { links, queue } = applied ?? apply(started, target.now);
    return links[0] ? done({ link: links[0], isNew: true }) : failed(queue.requests[0]);
  }

  /** Returns the request to send, or the answer if there is an obstacle or a stored link. */
  async #plan(
    { id, anew, options, at }: PrivateShortenMessage,
    { connection: { id: connectionId }, clean, lookup, defaults }: Prepared,
  ): Promise<Plan | Answer> {
    const accept = {
      anew,
      options,
      source: 'popup',
      groupId: null,
      expiry: defaults.expiry,
      saveTitles: false,
    } as const;
    const generation = { newKey: () => id, randomBytes: repeating(await bytesFrom(id)) };
    const plan = await this.#dependencies.store.update<Plan | Answer>(
      connectionId,
      (queue, { now, apiKey, knownLinks }) => {
        const alone = { ...queue, requests: [] };
        const accepted = acceptRequests(alone, clean, accept, knownLinks, generation, now);
        const [refused] = accepted.result.refused;
        if (refused) return { queue, result: refuse(refused.code) };
        const link = knownLinks.find((one) => one.id === accepted.result.existing[0]?.linkId);
        if (link) return { queue, result: done({ link, isNew: false }) };
        const { connection } = queue;
        const requests = accepted.queue.requests.map((one) => freeze(one, connection, generation.randomBytes, at));
        const [request] = requests;
        const obstacle = obstacleOf(queue, now);
        if (typeof obstacle !== 'number') return { queue, result: obstacle };
        if (!request) return { queue, result: refuse('internal') };
        const target = { baseUrl: connection.baseUrl, apiKey, connection, now };
        return { queue, result: { target, copy: { ...alone, requests }, request, waitMs: obstacle } };
      },
      lookup,
    );
    return plan ?? refuse('no_connection');
  }

  /**
   * Asks the server for the link of a request that was sent before, if the server requires this before another send.
   * Returns null if the request must be sent.
   */
  async #lookUp({ target, request }: Plan, lastSentAt: number | null): Promise<Answer | null> {
    if (lastSentAt === null || !needsLookUp(target.connection)) return null;
    const { wait, lookUp } = this.#dependencies;
    // If the clock was set back, the last send seems to be in the future.
    const sentAt = Math.min(lastSentAt, target.now);
    await wait(Math.max(0, sentAt + SETTLED_AFTER_MS - target.now));
    const answer = await lookUp(target, newLinkOf(request, target.connection));
    if (answer.state === 'absent') return null;
    if (answer.state === 'found') return done({ link: linkOf(request, answer.shortUrl, target.now, 0), isNew: true });
    return failed(answer.state === 'taken' ? codeTaken(request) : undefined);
  }
}

function refuse(code: RefusalCode): Answer {
  return { ok: false, code };
}

function done(value: PrivateResult): Answer {
  return { ok: true, value };
}

/** Returns the reason why a request created no link. The request does not wait, so a wait needs other words. */
function failed(request: Request | undefined): Answer {
  const problem: Problem = request?.problem ?? { code: 'no_answer', message: '' };
  if (problem.code === 'quota_exceeded') return refuse('quota_used');
  if (problem.code === 'throttled' || problem.code === 'busy') return refuse('try_later');
  return done({ problem, isUncertain: request?.state === 'uncertain' });
}

/** Returns the time that the limits require before a send, or the reason why a connection's queue prevents it. */
function obstacleOf({ state, limits }: Queue, now: number): number | Answer {
  const { blocked, paused, wait, lastEndedAt } = state;
  if (blocked === 'permission') return refuse('no_permission');
  if (blocked === 'key_missing') return refuse('invalid_key');
  if (blocked) return done({ problem: { code: blocked, message: '' }, isUncertain: false });
  if (paused) return refuse('paused');
  if (remaining(limits, now) <= 0) return refuse('quota_used');
  // A delay that the extension only guessed does not prevent a send that the user asks for.
  const isOrdered = wait && (wait.named || wait.reason === 'quota' || wait.reason === 'throttle');
  const gapEndsAt = lastEndedAt === null ? 0 : lastEndedAt + limits.gapMs;
  const ms = Math.max(gapEndsAt - now, isOrdered ? wait.until - now : 0, 0);
  return ms <= MAX_WAIT_MS ? ms : refuse(wait?.reason === 'quota' ? 'quota_used' : 'try_later');
}

/** Returns bytes that are always the same for an id, so that its short code is too. */
async function bytesFrom(id: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id)));
}

/** Returns a source of the given bytes, which starts again at their end. */
function repeating(bytes: Uint8Array): (count: number) => Uint8Array {
  let at = 0;
  return (count) => Uint8Array.from({ length: count }, () => bytes[at++ % bytes.length] ?? 0);
}
