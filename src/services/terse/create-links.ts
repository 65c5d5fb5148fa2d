import { HEADER, type Limits, parseRateLimit, parseRetryAfter } from '@terse/contract/http-headers';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Attempt, ProblemCode } from '../../queue/types.ts';
import { readJson } from '../http-client.ts';
import type { AttemptResult, RequestResult } from '../service-adapter.ts';
import { type ErrorResponse, isErrorBody, readErrorResponse } from './error-response.ts';

const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** A gateway's clock and limits are not those of the service. */
const NOT_REPORTED = { date: null, limits: { throttle: null, quota: null } };

/** Statuses of a POST that was refused before anybody looked at what stands in it. */
const REFUSED_AS_WHOLE = [400, 413, 415, 422];

/** Problems of a key or an address, which every request to the service would have. */
const ABOUT_CONNECTION: ProblemCode[] = ['unauthorized', 'forbidden', 'not_a_service', 'redirected'];

/** Of a success the short URL alone is needed, whatever else stands beside it. */
const Created = z.object({ shortUrl: ShortUrl });

/** What became of each item of a batch: a success, or whatever a refusal would be by itself. */
const BatchAnswer = z.object({
  results: z.array(
    z.union([
      z.object({ index: z.int(), status: z.literal(201), link: Created }),
      z.object({ index: z.int(), status: z.int(), error: z.string(), code: z.string() }),
    ]),
  ),
});

/** What the header fields of any answer report: the service's time (milliseconds, whole seconds) and its limits. */
export function readReported(headers: Headers): { date: number | null; limits: Limits } {
  const date = Date.parse(headers.get('Date') ?? '');
  return {
    date: Number.isNaN(date) ? null : date,
    limits: parseRateLimit(headers.get(HEADER.rateLimitPolicy), headers.get(HEADER.rateLimit)),
  };
}

/**
 * Reads the answer to an attempt. Whatever it holds becomes an outcome for each of the attempt's requests.
 *
 * @param now local time, milliseconds; dates in the answer are read against it where the answer has none of its own
 * @throws whatever the body's stream throws when the connection breaks off: no answer came then
 */
export async function readCreateResponse(
  response: Response,
  attempt: Pick<Attempt, 'path' | 'requestIds'>,
  now: number,
): Promise<AttemptResult> {
  const reported = readReported(response.headers);
  const isBatch = attempt.path === '/api/v1/urls/batch';
  const each = (item: RequestResult, isOwn: boolean): AttemptResult => ({
    items: attempt.requestIds.map(() => item),
    answered: isOwn,
    conclusive: item.kind === 'created' || item.kind === 'refused',
    refusedAsWhole: isBatch && REFUSED_AS_WHOLE.includes(response.status),
    ...(isOwn ? reported : NOT_REPORTED),
  });
  if (isRedirect(response)) return each({ kind: 'not_made', code: 'redirected', message: '' }, false);
  const body = await readJson(response);
  const isOwnError = isErrorBody(body);
  const refusal: Omit<ErrorResponse, 'status' | 'body'> = {
    retryAfterSeconds: parseRetryAfter(response.headers.get(HEADER.retryAfter), reported.date ?? now),
    // A gateway has limits too, which say nothing of the quota.
    quotaSpent: (response.ok || isOwnError) && reported.limits.quota?.remaining === 0,
  };
  const { ok, status } = response;
  if (!ok) return each(readErrorResponse({ ...refusal, status, body }), isOwnError);
  if (!isBatch) return readCreated(body, each);
  const answer = BatchAnswer.safeParse(body);
  if (!answer.success) return each(NOT_UNDERSTOOD, false);
  const results = new Map(answer.data.results.map((result) => [result.index, result]));
  const items = attempt.requestIds.map((_, index): RequestResult => {
    const result = results.get(index);
    if (!result) return NOT_UNDERSTOOD;
    if ('link' in result) return { kind: 'created', shortUrl: result.link.shortUrl };
    return refusedItem(readErrorResponse({ ...refusal, status: result.status, body: result }));
  });
  return { items, answered: true, conclusive: true, refusedAsWhole: false, ...reported };
}

/** The refusal of one item. The service accepted the batch, so it cannot be about the key or the address of the service. */
function refusedItem(result: RequestResult): RequestResult {
  return result.kind === 'refused' && ABOUT_CONNECTION.includes(result.code) ? { ...result, code: 'refused' } : result;
}

/** Browsers hide a redirect that is not followed, its status included; elsewhere the status tells. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** `POST /api/shorten` answers the short URL itself, `POST /api/v1/urls` the link that has it: both at the top. */
function readCreated(body: unknown, each: (item: RequestResult, isOwn: boolean) => AttemptResult): AttemptResult {
  const answer = Created.safeParse(body);
  return answer.success ? each({ kind: 'created', shortUrl: answer.data.shortUrl }, true) : each(NOT_UNDERSTOOD, false);
}

/** The browser's network, passed in. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Where an attempt goes and as whom: all of it read in the transaction that began the attempt. */
export interface Destination {
  baseUrl: string;
  apiKey: string;
}

/**
 * How long one request may take, in milliseconds: less than the 30 s after which a browser ends a background without
 * events, so that a hang is seen as one.
 */
export const FETCH_TIMEOUT_MS = 20_000;

/** What every request has in common: nothing of the person's other sessions goes along, and no redirect is followed. */
export const FETCH_DEFAULTS = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

/** Sends an attempt and reads what became of it. Never throws: no answer is an outcome too. */
export async function sendAttempt(
  fetch: Fetch,
  destination: Destination,
  attempt: Attempt,
  now: () => number,
  limitMs = FETCH_TIMEOUT_MS,
): Promise<AttemptResult> {
  try {
    const response = await fetch(destination.baseUrl + attempt.path, {
      ...FETCH_DEFAULTS,
      method: 'POST',
      headers: {
        [HEADER.authorization]: `Bearer ${destination.apiKey}`,
        'Content-Type': 'application/json',
        [HEADER.idempotencyKey]: attempt.idempotencyKey,
      },
      body: attempt.body,
      signal: AbortSignal.timeout(limitMs),
    });
    return await readCreateResponse(response, attempt, now());
  } catch (error) {
    return lost(attempt, isTimeout(error) ? 'timeout' : 'no_answer');
  }
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function lost(attempt: Attempt, code: ProblemCode): AttemptResult {
  return {
    items: attempt.requestIds.map(() => ({ kind: 'unclear', code, message: '' })),
    answered: false,
    conclusive: false,
    refusedAsWhole: false,
    date: null,
    limits: { throttle: null, quota: null },
  };
}
