import type { Limits as ReportedLimits } from '@terse/contract/http-headers';
import { FEATURE } from '@terse/contract/service-capabilities';
import { NO_OPTIONS } from '../../../../src/queue/accept.ts';
import { newLimits } from '../../../../src/queue/limits.ts';
import { LARGEST_BATCH } from '../../../../src/queue/sending.ts';
import type { Connection, Limits, Queue, QueueState, Request } from '../../../../src/queue/types.ts';
import { EMPTY_STATE } from '../../../../src/queue/user-actions.ts';
import type { AttemptResult, CreateRequest, ProbeResult, RequestResult } from '../../../../src/servers/adapter.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NOW = Date.UTC(2026, 2, 28, 9, 30);
export const NO_LIMITS: ReportedLimits = { throttle: null, quota: null };

/** Returns the time `ms` after `NOW`. */
export function at(ms = 0): number {
  return NOW + ms;
}

export const specOnly: Connection = {
  id: 'c',
  name: '',
  baseUrl: 'https://a.example',
  lastFour: 'abcd',
  service: null,
  serviceReadAt: NOW,
  lastSeenWellAt: null,
  preferredAt: 1,
};

/** Returns a connection to a service with these features. The default features are idempotency keys and batches. */
export function fullService(...features: string[]): Connection {
  const known = features.length > 0 ? features : [FEATURE.idempotency, FEATURE.batch, FEATURE.itemIdempotency];
  return { ...specOnly, service: { name: 'Full', shortBaseUrl: 'https://s.example', features: known } };
}

/** Returns a connection to a service that accepts generated short codes and has these additional features. */
export function takesCodes(...features: string[]): Connection {
  const known = [FEATURE.idempotency, FEATURE.links, FEATURE.chosenCodes, ...features];
  const codes = { alphabet: 'abcdefgh', length: 3 };
  return { ...specOnly, service: { name: 'Minting', shortBaseUrl: 'https://s.example', features: known, codes } };
}

export function aRequest(id: string, part: Partial<Request> = {}): Request {
  return {
    id,
    connectionId: 'c',
    listId: null,
    url: `https://x.example/${id}`,
    title: `Page ${id}`,
    options: NO_OPTIONS,
    state: 'waiting',
    createdAt: NOW,
    idempotencyKey: `key-${id}`,
    attempts: 0,
    mayExist: false,
    retryAt: null,
    lookUpDue: false,
    maxBatch: LARGEST_BATCH,
    problem: null,
    source: 'popup',
    ...part,
  };
}

/**
 * Returns a request that was sent once at `NOW`, and whose link may exist.
 *
 * @param code generated short code
 */
export function sentRequest(id: string, part: Partial<Request> = {}, code?: string): Request {
  const request = aRequest(id, { state: 'unknown', attempts: 1, mayExist: true, ...part });
  const shortCode = code ?? request.options.shortCode;
  const item = { url: request.url, ...(shortCode && { shortCode }) };
  return { ...request, sent: part.sent ?? { path: '/api/v1/urls', item, firstAt: NOW, lastAt: NOW } };
}

/** Returns a POST with these requests. */
export function aPost(requestIds: string[], part: Partial<CreateRequest> = {}): CreateRequest {
  const path = requestIds.length > 1 ? '/api/v1/urls/batch' : '/api/shorten';
  return { path, idempotencyKey: 'key', body: '{}', requestIds, links: [], ...part };
}

export interface Parts {
  connection?: Connection;
  limits?: Partial<Limits>;
  state?: Partial<QueueState>;
  requests?: Request[];
}

export function aQueue({ connection = specOnly, limits, state, requests = [] }: Parts = {}): Queue {
  return {
    connection,
    state: { ...EMPTY_STATE, ...state },
    limits: { ...newLimits(), ...limits },
    requests,
  };
}

/** Returns a queue that is sending these requests for the first time. */
export function sending(ids: string[], parts: Parts = {}): Queue {
  const requests = ids.map((id) => sentRequest(id, { state: 'sending', mayExist: false }));
  return aQueue({ ...parts, requests: [...requests, ...(parts.requests ?? [])] });
}

export function sendsNow(count: number): number[] {
  return Array.from({ length: count }, () => NOW);
}

/** The specification's default quota, used up. */
export const SPENT: Partial<Limits> = { sends: sendsNow(20) };

export function idsOf(queue: Queue): string[] {
  return queue.requests.map(({ id }) => id);
}

/** Returns the ids of the requests whose last send failed. */
export function suspectsOf({ requests }: Queue): string[] {
  return requests.filter(({ isSuspect }) => isSuspect).map(({ id }) => id);
}

export function statesOf(queue: Queue): string[] {
  return queue.requests.map(({ id, state }) => `${id} ${state}`);
}

export function created(shortUrl = 'https://s.example/a'): RequestResult {
  return { kind: 'created', shortUrl };
}

export function refused(code: Extract<RequestResult, { kind: 'refused' }>['code']): RequestResult {
  return { kind: 'refused', code, message: 'No.' };
}

export function forNow(
  code: Extract<RequestResult, { kind: 'refused_for_now' }>['code'],
  retryAfterSeconds: number | null = null,
): RequestResult {
  return { kind: 'refused_for_now', code, message: 'Later.', retryAfterSeconds };
}

export function unclear(code: Extract<RequestResult, { kind: 'unclear' }>['code']): RequestResult {
  return { kind: 'unclear', code, message: '' };
}

/** Returns a refusal that proves that the service did not create a link. */
export function notMade(code: Extract<RequestResult, { kind: 'not_made' }>['code'] = 'gateway_refused'): RequestResult {
  return { kind: 'not_made', code, message: '' };
}

/** Returns a response of the service itself. */
export function answered(items: RequestResult[], part: Partial<AttemptResult> = {}): AttemptResult {
  return { items, answered: true, refusedAsWhole: false, limits: NO_LIMITS, ...part };
}

export function lost(count = 1): AttemptResult {
  const items = Array.from({ length: count }, () => unclear('no_answer'));
  return answered(items, { answered: false });
}

/** Returns the result of a probe of a healthy service. The service did not check the API key. */
export function well(part: Partial<NonNullable<ProbeResult>> = {}): NonNullable<ProbeResult> {
  return { limits: NO_LIMITS, service: null, key: 'unknown', ...part };
}
