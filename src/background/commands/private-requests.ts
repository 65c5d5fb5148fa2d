import type { PrivateCommand, PrivateResult, RefusalCode, Reply } from '../../messages/protocol.ts';
import { acceptRequests } from '../../queue/accept.ts';
import { nextStep, type Surroundings } from '../../queue/next-step.ts';
import { applyResult, unblock } from '../../queue/result.ts';
import { freeze, isSameServer, postOf, startSend } from '../../queue/sending.ts';
import type { Queue } from '../../queue/types.ts';
import { endGuessedDelay } from '../../queue/user-actions.ts';
import { needsLookUp } from '../../servers/capabilities.ts';
import type { Target } from '../queue-runner.ts';
import type { WorkerContext } from '../worker-context.ts';
import { type Prepared, prepare } from './shorten-command.ts';

/** Maximum time that a request waits until the limits of its server allow it. */
const MAX_WAIT_MS = 10_000;

type Answer = Reply<PrivateResult>;

/**
 * Sends a request from a private window at once, or refuses it. It is never repeated automatically. Only the time of
 * the send and the state of the server are stored, because they count against the limits.
 */
export async function shortenPrivately(context: WorkerContext, command: PrivateCommand): Promise<Answer> {
  const { takeTurn, changed } = context;
  const { id, url, title } = command;
  const prepared = await prepare(context, { ...command, orders: [{ id, url, title }] });
  if ('code' in prepared) return refuse(prepared.code);
  const answer = await takeTurn(prepared.connection.id, () => send(context, command, prepared, MAX_WAIT_MS));
  changed();
  return answer;
}

/** Counts the send against the limits on disk, and then sends the request. First waits until the limits allow it. */
async function send(
  context: WorkerContext,
  command: PrivateCommand,
  prepared: Prepared,
  maxWaitMs: number,
): Promise<Answer> {
  const { store, random, newId, online, permitted, wait } = context;
  const { id } = prepared.connection;
  // The content depends on the time of the user's action, so that a repeated command has the same content.
  const { anew, options, at } = command;
  const { expiry } = prepared.defaults;
  const accept = { anew, options, expiry, listId: null, saveTitles: false, source: 'popup' } as const;
  const stored = await store.queue(id);
  if (!stored) return refuse('no_connection');
  const around = { online: online(), isPermitted: await permitted(stored.connection.baseUrl) };
  const started = await store.update<{ target: Target; copy: Queue } | Answer | number>(
    id,
    (queue, { now, apiKey, knownLinks }) => {
      const accepted = acceptRequests({ ...queue, requests: [] }, prepared.clean, accept, knownLinks, at);
      const { existing, refused } = accepted.result;
      const link = knownLinks.find((one) => one.id === existing[0]?.linkId);
      if (link) return { queue, result: done({ link, isNew: false }) };
      if (refused[0]) return { queue, result: refuse(refused[0].code) };
      const { server = queue.connection } = command;
      if (!isSameServer(queue.connection, server)) return { queue, result: refuse('server_changed') };
      const requests = accepted.queue.requests.map((request) => freeze(request, queue.connection, at));
      const alone = { ...queue, requests };
      const obstacle = obstacleOf(alone, now, around, maxWaitMs);
      if (obstacle !== null) return { queue, result: obstacle };
      const copy = startSend(alone, [command.id], now);
      const { connection } = queue;
      const target = { baseUrl: connection.baseUrl, apiKey, connection, now };
      return { queue: { ...queue, state: copy.state, limits: copy.limits }, result: { target, copy } };
    },
    prepared.lookup,
  );
  if (started === null) return refuse('no_connection');
  if (typeof started === 'number') {
    await wait(started);
    return send(context, command, prepared, maxWaitMs - started);
  }
  if (!('target' in started)) return started;
  const { target, copy } = started;
  const { requests } = copy;
  const response = await context.send(target, postOf(requests, target.connection, newId()));
  const apply = (queue: Queue, now: number) => applyResult({ ...queue, requests }, requests, response, now, random());
  const storing = store.update(id, (queue, { now }) => {
    const result = apply(queue, now);
    const { connection, state, limits } = result.queue;
    const isSame = isSameServer(queue.connection, target.connection);
    return { queue: isSame ? { ...queue, connection, state, limits } : queue, result };
  });
  const applied = await storing.catch(() => null);
  // The connection may have been removed, or the database closed, in the meantime. The user still gets the result.
  const { links, queue } = applied ?? apply(copy, target.now);
  return links[0] ? done({ link: links[0], isNew: true }) : failed(queue);
}

function refuse(code: RefusalCode): Reply<never> {
  return { ok: false, code };
}

function done(value: PrivateResult): Answer {
  return { ok: true, value };
}

/** Returns the reason why a request created no link. The request does not wait, so a wait needs other words. */
function failed({ connection, requests: [request] }: Queue): Answer {
  const problem = request?.problem ?? { code: 'no_answer' as const, message: '' };
  if (problem.code === 'quota_exceeded') return refuse('quota_used');
  if (problem.code === 'throttled' || problem.code === 'busy') return refuse('try_later');
  const isUncertain = request?.state === 'uncertain' || (request?.state === 'unknown' && needsLookUp(connection));
  return done({ problem, isUncertain, isRefused: request?.state === 'failed' });
}

/**
 * Returns the time until the limits allow a send, or the reason why the queue of a private request prevents it. A delay
 * that the extension only guessed does not prevent a send that the user asks for.
 */
function obstacleOf(queue: Queue, now: number, around: Surroundings, maxWaitMs: number): number | Answer | null {
  const state = unblock(endGuessedDelay(queue).state, 'permission');
  // A health check after a delay would come before the limits.
  const wait = state.wait && state.wait.until > now ? state.wait : null;
  const step = nextStep({ ...queue, state: { ...state, wait } }, now, around);
  if (step.kind === 'block') return refuse('no_permission');
  if (step.kind === 'paused') return refuse('paused');
  if (step.kind === 'blocked') {
    if (step.reason === 'key_missing' || step.reason === 'permission') return refuse('invalid_key');
    return done({ problem: { code: step.reason, message: '' }, isUncertain: false, isRefused: false });
  }
  if (step.kind !== 'wait') return null;
  if (step.reason === 'offline') return refuse('offline');
  if (step.reason === 'quota') return refuse('quota_used');
  const ms = (step.until ?? now) - now;
  return ms <= maxWaitMs ? ms : refuse('try_later');
}
