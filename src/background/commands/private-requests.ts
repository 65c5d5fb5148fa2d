import { isLoopback } from '@terse/contract/connection-link';
import type { PrivateResult, PrivateShortenMessage, RefusalCode, Reply } from '../../messages/protocol.ts';
import { acceptRequests } from '../../queue/accept-requests.ts';
import { batchItemOf } from '../../queue/batch-requests.ts';
import { startDefaultExpiry } from '../../queue/default-expiry.ts';
import { remaining } from '../../queue/limits.ts';
import { applyResult, codeTaken, linkOf } from '../../queue/results/apply-result.ts';
import { startAttempt } from '../../queue/start-attempt.ts';
import type { Attempt, Connection, Problem, Queue, Request } from '../../queue/types.ts';
import { needsLookUp } from '../../servers/capabilities.ts';
import type { RunnerDependencies } from '../queue-runner.ts';
import type { Target } from '../send-attempt-and-save-result.ts';
import { prepare } from './shorten-command.ts';

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

/** Decision about a request: it has a result, was started, must wait, or must first be looked up. */
type Decision =
  | { kind: 'refused'; code: RefusalCode }
  | { kind: 'finished'; result: PrivateResult }
  | { kind: 'wait'; ms: number }
  | { kind: 'look_up'; target: Target; request: Request }
  | { kind: 'started'; target: Target; copy: Queue; attempt: Attempt };

type Prepared = Exclude<Awaited<ReturnType<typeof prepare>>, { code: unknown }>;

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
  async shorten(message: PrivateShortenMessage): Promise<Reply<PrivateResult>> {
    const { store, online, permitted, waitForFirstSync, takeTurn, changed } = this.#dependencies;
    const prepared = await prepare(store, { ...message, orders: [message] });
    if ('code' in prepared) return { ok: false, code: prepared.code };
    const { connection } = prepared;
    if (!(await permitted(connection))) return { ok: false, code: 'no_permission' };
    if (!online() && !isLoopback(new URL(connection.baseUrl).hostname)) return { ok: false, code: 'offline' };
    if (!message.anew) await waitForFirstSync(connection);
    const randomBytes = await bytesFrom(message.id);
    const reply = await takeTurn(connection.id, () => this.#send(message, prepared, randomBytes));
    changed();
    return reply;
  }

  async #send(message: PrivateShortenMessage, prepared: Prepared, bytes: Uint8Array): Promise<Reply<PrivateResult>> {
    let isLookedUp = message.lastSentAt === null;
    for (;;) {
      const decision = await this.#start(message, prepared, bytes, isLookedUp);
      switch (decision?.kind) {
        case undefined:
          return { ok: false, code: 'no_connection' };
        case 'refused':
          return { ok: false, code: decision.code };
        case 'finished':
          return { ok: true, value: decision.result };
        case 'wait':
          await this.#dependencies.wait(decision.ms);
          break;
        case 'look_up': {
          const result = await this.#lookUp(decision.target, decision.request);
          if (result) return { ok: true, value: result };
          isLookedUp = true;
          break;
        }
        case 'started':
          return this.#finish(decision.target, decision.copy, decision.attempt);
      }
    }
  }

  /** Starts the request if nothing prevents it. The send is then counted against the limits on disk. */
  #start(
    { id, anew, options, at, lastSentAt }: PrivateShortenMessage,
    { connection, clean, lookup, defaults }: Prepared,
    bytes: Uint8Array,
    isLookedUp: boolean,
  ): Promise<Decision | null> {
    const accept = {
      anew,
      options,
      source: 'popup' as const,
      groupId: null,
      expiry: defaults.expiry,
      saveTitles: false,
    };
    return this.#dependencies.store.update(
      connection.id,
      (queue, { now, apiKey, knownLinks }) => {
        const unchanged = (result: Decision) => ({ queue, result });
        const generation = { newKey: () => id, randomBytes: repeating(bytes) };
        const alone = { ...queue, requests: [], attempts: [] };
        const accepted = acceptRequests(alone, clean, accept, knownLinks, generation, now);
        const [existing] = accepted.result.existing;
        const link = knownLinks.find((one) => one.id === existing?.linkId);
        if (link) return unchanged({ kind: 'finished', result: { link, isNew: false } });
        const [refused] = accepted.result.refused;
        if (refused) return unchanged({ kind: 'refused', code: refused.code });
        const obstacle = obstacleOf(queue, now);
        if (obstacle) return unchanged(obstacle);
        const requests = accepted.queue.requests.map((one) => startDefaultExpiry(one, queue.connection, at));
        const [request] = requests;
        const target = { baseUrl: queue.connection.baseUrl, apiKey, connection: queue.connection, now };
        if (request && !isLookedUp && needsLookUp(queue.connection)) {
          const ms = (lastSentAt ?? 0) + SETTLED_AFTER_MS - now;
          return unchanged(ms > 0 ? { kind: 'wait', ms } : { kind: 'look_up', target, request });
        }
        const copy = startAttempt({ ...accepted.queue, requests }, [id], this.#dependencies.newId(), now);
        const [attempt] = copy.attempts;
        if (!attempt) return unchanged({ kind: 'refused', code: 'internal' });
        return {
          queue: { ...queue, state: copy.state, limits: copy.limits },
          result: { kind: 'started', target, copy, attempt },
        };
      },
      lookup,
    );
  }

  /** Returns the link that an earlier send has created, or null if it has created none. */
  async #lookUp(target: Target, request: Request): Promise<PrivateResult | null> {
    const found = await this.#dependencies.lookUp(target, new Map([[request.id, batchItemOf(request)]]));
    const answer = found.get(request.id);
    if (answer?.state === 'absent') return null;
    if (answer?.state === 'found') return { link: linkOf(request, answer.shortUrl, target.now, 0), isNew: true };
    const taken = answer?.state === 'taken' ? codeTaken(request).problem : null;
    return { problem: taken ?? { code: 'no_answer', message: '' }, isUncertain: false };
  }

  /** Sends the request. Stores only what the response says about the server and its limits. */
  async #finish(target: Target, copy: Queue, attempt: Attempt): Promise<Reply<PrivateResult>> {
    const { store, random, send } = this.#dependencies;
    const response = await send(target, attempt);
    const apply = (queue: Queue, now: number) => {
      const own = { ...queue, requests: copy.requests, attempts: copy.attempts };
      return applyResult(own, attempt, response, now, random());
    };
    const applied = await store.update(target.connection.id, (queue, { now, apiKey }) => {
      const result = apply(queue, now);
      const isSame = queue.connection.baseUrl === target.baseUrl && apiKey === target.apiKey;
      const { connection, state, limits } = result.queue;
      return { queue: isSame ? { ...queue, connection, state, limits } : queue, result };
    });
    // The connection may have been removed in the meantime. The user still gets the result.
    const { links, queue } = applied ?? apply(copy, target.now);
    const [link] = links;
    if (link) return { ok: true, value: { link, isNew: true } };
    const { state, problem } = queue.requests[0] ?? {};
    const code = waitCode(problem);
    if (code) return { ok: false, code };
    const unknown: Problem = { code: 'not_understood', message: '' };
    return { ok: true, value: { problem: problem ?? unknown, isUncertain: state === 'uncertain' } };
  }
}

/** Returns the reason why a connection's queue prevents a send now. Null if nothing prevents it. */
function obstacleOf({ state, limits }: Queue, now: number): Decision | null {
  const { blocked, paused, wait, lastEndedAt } = state;
  if (blocked === 'permission') return { kind: 'refused', code: 'no_permission' };
  if (blocked === 'key_missing') return { kind: 'refused', code: 'invalid_key' };
  if (blocked) return { kind: 'finished', result: { problem: { code: blocked, message: '' }, isUncertain: false } };
  if (paused) return { kind: 'refused', code: 'paused' };
  if (remaining(limits, now) <= 0) return { kind: 'refused', code: 'quota_used' };
  // A delay that the extension only guessed does not prevent a send that the user asks for.
  const isOrdered = wait && (wait.named || wait.reason === 'quota' || wait.reason === 'throttle');
  const gapEndsAt = lastEndedAt === null ? 0 : lastEndedAt + limits.gapMs;
  const ms = Math.max(gapEndsAt, isOrdered ? wait.until : 0) - now;
  if (ms <= 0) return null;
  if (ms <= MAX_WAIT_MS) return { kind: 'wait', ms };
  return { kind: 'refused', code: wait?.reason === 'quota' ? 'quota_used' : 'try_later' };
}

/** Returns the code for a problem that ends when the user waits. The request is not waiting, so it needs other words. */
function waitCode(problem: Problem | null | undefined): RefusalCode | null {
  if (problem?.code === 'quota_exceeded') return 'quota_used';
  return problem?.code === 'throttled' || problem?.code === 'busy' ? 'try_later' : null;
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
