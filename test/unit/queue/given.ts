import { FEATURE } from '@terse/contract';
import { freshBudget } from '../../../src/queue/budget.ts';
import { EMPTY_QUEUE } from '../../../src/queue/initial.ts';
import type { ItemOutcome, Outcome } from '../../../src/queue/outcome.ts';
import type { Attempt, Budget, ConnectionInfo, QueueState, Request, Snapshot, Time } from '../../../src/queue/types.ts';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;
export const NOW = Date.UTC(2026, 2, 28, 9, 30);
export const NO_LIMITS = { throttle: null, quota: null };

/** `NOW` and `ms` more, in the life of the worker that is named. */
export function at(ms = 0, lifetime = 'first'): Time {
  return { now: NOW + ms, lifetime };
}

export const specOnly: ConnectionInfo = { id: 'c', baseUrl: 'https://a.example', lastFour: 'abcd', service: null };

export function fullService(...features: string[]): ConnectionInfo {
  const known = features.length > 0 ? features : [FEATURE.idempotency, FEATURE.batch];
  return { ...specOnly, service: { name: 'Full', shortBaseUrl: 'https://s.example', features: known } };
}

export function aRequest(id: string, part: Partial<Request> = {}): Request {
  return {
    id,
    url: `https://x.example/${id}`,
    title: `Page ${id}`,
    state: 'waiting',
    createdAt: NOW,
    idempotencyKey: `key-${id}`,
    attempts: 0,
    problem: null,
    private: false,
    ...part,
  };
}

export function anAttempt(requestIds: string[], part: Partial<Attempt> = {}): Attempt {
  return {
    connectionId: 'c',
    idempotencyKey: 'key',
    requestIds,
    path: requestIds.length > 1 ? '/api/v1/urls/batch' : '/api/shorten',
    body: '{}',
    firstSentAt: NOW,
    private: false,
    inFlight: true,
    ...part,
  };
}

interface Parts {
  connection?: ConnectionInfo | null;
  budget?: Partial<Budget> | null;
  queue?: Partial<QueueState>;
  requests?: Request[];
}

export function aSnapshot({ connection = specOnly, budget = {}, queue = {}, requests = [] }: Parts = {}): Snapshot {
  return {
    connection,
    queue: { ...EMPTY_QUEUE, ...queue },
    budget: budget && { ...freshBudget('c'), ...budget },
    requests,
  };
}

/** A snapshot in the middle of sending these requests. */
export function sending(ids: string[], parts: Parts & { attempt?: Partial<Attempt> } = {}): Snapshot {
  const requests = ids.map((id) => aRequest(id, { state: 'sending', attempts: 1 }));
  const queue = { attempt: anAttempt(ids, parts.attempt), ...parts.queue };
  return aSnapshot({ ...parts, queue, requests: [...requests, ...(parts.requests ?? [])] });
}

export function created(shortUrl = 'https://s.example/a'): ItemOutcome {
  return { kind: 'created', shortUrl };
}

export function refused(code: Extract<ItemOutcome, { kind: 'refused' }>['code']): ItemOutcome {
  return { kind: 'refused', code, message: 'No.' };
}

export function forNow(
  code: Extract<ItemOutcome, { kind: 'refused_for_now' }>['code'],
  retryAfterSeconds: number | null = null,
): ItemOutcome {
  return { kind: 'refused_for_now', code, message: 'Later.', retryAfterSeconds };
}

export function unclear(code: Extract<ItemOutcome, { kind: 'unclear' }>['code']): ItemOutcome {
  return { kind: 'unclear', code, message: '' };
}

export function answered(items: ItemOutcome[], part: Partial<Outcome> = {}): Outcome {
  return { items, answered: true, conclusive: true, date: null, limits: NO_LIMITS, ...part };
}

export function lost(count = 1): Outcome {
  const items = Array.from({ length: count }, () => unclear('no_answer'));
  return { items, answered: false, conclusive: false, date: null, limits: NO_LIMITS };
}
