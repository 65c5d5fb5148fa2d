import type { Limits as ReportedLimits } from '@terse/contract/http-headers';
import { FEATURE } from '@terse/contract/service-capabilities';
import { EMPTY_STATE, NO_OPTIONS } from '../../../../src/queue/add-replace-delete-connection.ts';
import { newLimits } from '../../../../src/queue/limits.ts';
import type { CodeGeneration } from '../../../../src/queue/short-code-generator.ts';
import type { Attempt, Connection, Limits, Queue, QueueState, Request } from '../../../../src/queue/types.ts';
import type { AttemptResult, ProbeResult, RequestResult } from '../../../../src/servers/adapter.ts';

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

/** Generates a fixed idempotency key, and short codes that repeat the first symbol of the alphabet. */
export const MINTING: CodeGeneration = { newKey: () => 'minted-key', randomBytes: (count) => new Uint8Array(count) };

/** Returns a generator like `MINTING` with this idempotency key. */
export function keyed(key: string): CodeGeneration {
  return { ...MINTING, newKey: () => key };
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
    groupId: null,
    url: `https://x.example/${id}`,
    title: `Page ${id}`,
    options: NO_OPTIONS,
    state: 'waiting',
    createdAt: NOW,
    idempotencyKey: `key-${id}`,
    attempts: 0,
    sends: [],
    alone: false,
    problem: null,
    source: 'popup',
    ...part,
  };
}

/** Returns an attempt in flight with the id `attempt` and these requests. */
export function anAttempt(requestIds: string[], part: Partial<Attempt> = {}): Attempt {
  return {
    id: `attempt-${requestIds.join('-')}`,
    connectionId: 'c',
    idempotencyKey: 'key',
    requestIds,
    path: requestIds.length > 1 ? '/api/v1/urls/batch' : '/api/shorten',
    body: '{}',
    firstSentAt: NOW,
    inFlight: true,
    sends: 1,
    suspect: false,
    parks: 0,
    parkedUntil: null,
    ...part,
  };
}

/** Returns an attempt with these requests that is not in flight. */
export function anOpenAttempt(requestIds: string[], part: Partial<Attempt> = {}): Attempt {
  return anAttempt(requestIds, { inFlight: false, ...part });
}

export interface Parts {
  connection?: Connection;
  limits?: Partial<Limits>;
  state?: Partial<QueueState>;
  attempts?: Attempt[];
  requests?: Request[];
}

export function aQueue({ connection = specOnly, limits, state, attempts = [], requests = [] }: Parts = {}): Queue {
  return {
    connection,
    state: { ...EMPTY_STATE, ...state },
    limits: { ...newLimits(), ...limits },
    attempts,
    requests,
  };
}

export function sending(ids: string[], parts: Parts & { attempt?: Partial<Attempt> } = {}): Queue {
  const requests = ids.map((id) => aRequest(id, { state: 'sending', attempts: 1 }));
  return aQueue({
    ...parts,
    attempts: [anAttempt(ids, parts.attempt), ...(parts.attempts ?? [])],
    requests: [...requests, ...(parts.requests ?? [])],
  });
}

/** Returns a queue that has sent these requests and received no answer. */
export function unanswered(ids: string[], parts: Parts & { attempt?: Partial<Attempt> } = {}): Queue {
  const requests = ids.map((id) => aRequest(id, { state: 'unknown', attempts: 1 }));
  return aQueue({
    connection: fullService(),
    ...parts,
    attempts: [anOpenAttempt(ids, parts.attempt), ...(parts.attempts ?? [])],
    requests: [...requests, ...(parts.requests ?? [])],
  });
}

export function sendsNow(count: number): number[] {
  return Array.from({ length: count }, () => NOW);
}

/** The specification's default quota, used up. */
export const SPENT: Partial<Limits> = { sends: sendsNow(20) };

export function idsOf(queue: Queue): string[] {
  return queue.requests.map(({ id }) => id);
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

/** Returns a response. By default, the response is conclusive if the service created or refused every link. */
export function answered(items: RequestResult[], part: Partial<AttemptResult> = {}): AttemptResult {
  const conclusive = items.every(({ kind }) => kind === 'created' || kind === 'refused');
  return { items, answered: true, conclusive, refusedAsWhole: false, limits: NO_LIMITS, ...part };
}

export function lost(count = 1): AttemptResult {
  const items = Array.from({ length: count }, () => unclear('no_answer'));
  return answered(items, { answered: false });
}

/** Returns the result of a probe of a healthy service. The service did not check the API key. */
export function well(part: Partial<NonNullable<ProbeResult>> = {}): NonNullable<ProbeResult> {
  return { limits: NO_LIMITS, service: null, key: 'unknown', ...part };
}
