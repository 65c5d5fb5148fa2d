import { isLoopback } from '@terse/contract/connection-link';
import { FEATURE } from '@terse/contract/features';
import { needsConfirmation, nextUnitAt, remaining } from './budget.ts';
import type { Budget, ConnectionInfo, Halt, QueueState, Request, Snapshot, Time } from './types.ts';

/** The one thing to do next. */
export type Action =
  | { kind: 'idle' }
  /** Nothing can be sent before the person acts. */
  | { kind: 'held'; reason: Halt | 'no_connection' }
  /** `until` is null where only an event ends the wait (the network coming back). */
  | { kind: 'wait'; reason: 'throttle' | 'quota' | 'offline' | 'unreachable' | 'busy'; until: number | null }
  /** Ask the service for its time and limits, at no cost, before deciding again. */
  | { kind: 'look' }
  /** Send the open attempt once more, byte for byte. */
  | { kind: 'resend' }
  | { kind: 'send'; requestIds: string[] };

/** What the rules cannot read from the database. */
export interface Surroundings {
  online: boolean;
  /** When a look or an answer last showed, in this life of the worker, that the service is there; null: not yet. */
  reachedAt: number | null;
}

/** How many requests one batch takes (the contract's limit is 100; smaller answers come sooner). */
const BATCH_SIZE = 50;

/** How many bytes of URLs, so that a batch stays below the 64 KiB a service has to take. */
const BATCH_BYTES = 48 * 1024;

/** How long "it was there a moment ago" holds for a service where a lost answer cannot be asked for again. */
const REACHED_FOR_MS = 5_000;

/** Decides what to do next. Pure: the same snapshot, time and surroundings always give the same action. */
export function nextAction(snapshot: Snapshot, time: Time, around: Surroundings): Action {
  const { connection, budget, queue } = snapshot;
  const open = openAttempt(snapshot);
  const due = open ? [] : snapshot.requests.filter((request) => request.state === 'waiting');
  if (queue.attempt?.inFlight) return { kind: 'idle' };
  if (!open && due.length === 0) return { kind: 'idle' };
  if (!connection || !budget) return { kind: 'held', reason: 'no_connection' };
  if (queue.halt) return { kind: 'held', reason: queue.halt };
  if (!around.online && !isHere(connection)) return { kind: 'wait', reason: 'offline', until: null };
  const blocked = waitForQueue(queue, budget, time);
  if (blocked) return blocked;
  if (remaining(budget, time) <= 0) return { kind: 'wait', reason: 'quota', until: nextUnitAt(budget, time) };
  if (needsConfirmation(budget, time) || looksFirst(connection, time, around)) return { kind: 'look' };
  if (open) return { kind: 'resend' };
  return { kind: 'send', requestIds: together(due, connection).map((request) => request.id) };
}

/** Whether a waiting request is among the next to be sent, whatever they wait for. */
export function isNext(request: Request, snapshot: Snapshot): boolean {
  const { connection, requests } = snapshot;
  const open = openAttempt(snapshot);
  if (open) return open.requestIds.includes(request.id);
  if (!connection) return false;
  const due = requests.filter(({ state }) => state === 'waiting');
  return together(due, connection).includes(request);
}

/** The attempt that got no answer and may safely be sent again; nothing else is sent before it has ended. */
export function openAttempt({ queue, connection }: Pick<Snapshot, 'queue' | 'connection'>) {
  const { attempt } = queue;
  if (!attempt || attempt.inFlight || attempt.connectionId !== connection?.id) return null;
  return has(connection, FEATURE.idempotency) ? attempt : null;
}

export function has(connection: ConnectionInfo, feature: string): boolean {
  return connection.service?.features.includes(feature) ?? false;
}

/** A service on this computer needs no network. */
function isHere({ baseUrl }: ConnectionInfo): boolean {
  return isLoopback(new URL(baseUrl).hostname);
}

function waitForQueue(queue: QueueState, budget: Budget, time: Time): Action | null {
  if (queue.pause && queue.pause.until > time.now) {
    return { kind: 'wait', reason: queue.pause.reason, until: queue.pause.until };
  }
  const paced = queue.lastEndedAt === null ? 0 : queue.lastEndedAt + budget.gapMs;
  return paced > time.now ? { kind: 'wait', reason: 'throttle', until: paced } : null;
}

/**
 * Where an unanswered request cannot be sent again safely, a send into a dead network would leave the person with a
 * question. A look first costs one round trip and none of the budget, and leaves only real losses to ask about.
 */
function looksFirst(connection: ConnectionInfo, time: Time, around: Surroundings): boolean {
  if (has(connection, FEATURE.idempotency)) return false;
  return around.reachedAt === null || time.now - around.reachedAt > REACHED_FOR_MS;
}

/** The oldest request, and with it, where the service takes batches, those behind it that fit. */
function together(due: Request[], connection: ConnectionInfo): Request[] {
  const [first] = due;
  if (!first) return [];
  if (!mayShare(first) || !has(connection, FEATURE.batch)) return [first];
  let room = BATCH_BYTES;
  const fits = ({ url }: Request) => {
    room -= new TextEncoder().encode(JSON.stringify({ url })).byteLength;
    return room >= 0;
  };
  const rest = due.filter((request) => request !== first && mayShare(request)).slice(0, BATCH_SIZE - 1);
  const over = [first, ...rest].findIndex((request) => !fits(request));
  return over < 0 ? [first, ...rest] : [first, ...rest].slice(0, Math.max(1, over));
}

/** Private requests go alone, and so do those sent before: under its own key a service may still know the first. */
function mayShare(request: Request): boolean {
  return !request.private && request.attempts === 0;
}
