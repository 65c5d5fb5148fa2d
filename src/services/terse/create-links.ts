import { HEADER, parseRetryAfter } from '@terse/contract/http-headers';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { FETCH_DEFAULTS, isRedirect, isTimeout, readJson, readReported } from '../http-client.ts';
import type {
  AttemptResult,
  CreateRequest,
  Destination,
  Fetch,
  ProblemCode,
  Reported,
  RequestResult,
} from '../service-adapter.ts';
import { type ErrorResponse, isErrorBody, readErrorResponse } from './error-response.ts';

/**
 * Maximum time for one request, in milliseconds. It is less than the 30 s after which a browser may stop an idle background, so
 * a hanging request is noticed.
 */
export const FETCH_TIMEOUT_MS = 20_000;

const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** Replaces what a gateway reports, because its clock and limits are not the service's. */
const NOT_REPORTED: Reported = { date: null, limits: { throttle: null, quota: null } };

/** Statuses of a batch that the service refused without looking at its items. */
const REFUSED_AS_WHOLE = [400, 413, 415, 422];

/** Problems of the key or the address. Every request to the service would have them. */
const ABOUT_CONNECTION: ProblemCode[] = ['unauthorized', 'forbidden', 'not_a_service', 'redirected'];

/** A created link. All other fields are ignored. */
const Created = z.object({ shortUrl: ShortUrl });

/** Response to a batch: a link or an error for each item. */
const BatchAnswer = z.object({
  results: z.array(
    z.union([
      z.object({ index: z.int(), status: z.literal(201), link: Created }),
      z.object({ index: z.int(), status: z.int(), error: z.string(), code: z.string() }),
    ]),
  ),
});

/** Sends a POST that creates links, and returns the result. Never throws: a missing response is a result too. */
export async function sendAttempt(
  fetch: Fetch,
  destination: Destination,
  attempt: CreateRequest,
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
    return noResponse(attempt, isTimeout(error) ? 'timeout' : 'no_answer');
  }
}

/**
 * Turns the response into a result for each request of the attempt.
 *
 * @param now local time in milliseconds, used if the response has no `Date` header
 * @throws the stream's error if the network connection breaks
 */
async function readCreateResponse(
  response: Response,
  { path, requestIds }: CreateRequest,
  now: number,
): Promise<AttemptResult> {
  const reported = readReported(response.headers);
  const isBatch = path === '/api/v1/urls/batch';
  const forEach = (item: RequestResult, isOwn: boolean): AttemptResult => ({
    items: requestIds.map(() => item),
    answered: isOwn,
    conclusive: item.kind === 'created' || item.kind === 'refused',
    refusedAsWhole: isBatch && REFUSED_AS_WHOLE.includes(response.status),
    ...(isOwn ? reported : NOT_REPORTED),
  });
  if (isRedirect(response)) return forEach({ kind: 'not_made', code: 'redirected', message: '' }, false);
  const body = await readJson(response);
  const isOwnError = isErrorBody(body);
  const refusal: Omit<ErrorResponse, 'status' | 'body'> = {
    retryAfterSeconds: parseRetryAfter(response.headers.get(HEADER.retryAfter), reported.date ?? now),
    // A gateway has limits too, but they are not the key's quota.
    quotaSpent: (response.ok || isOwnError) && reported.limits.quota?.remaining === 0,
  };
  const { ok, status } = response;
  if (!ok) return forEach(readErrorResponse({ ...refusal, status, body }), isOwnError);
  if (!isBatch) {
    // Both `POST /api/shorten` and `POST /api/v1/urls` return `shortUrl` at the top level.
    const created = Created.safeParse(body);
    if (!created.success) return forEach(NOT_UNDERSTOOD, false);
    return forEach({ kind: 'created', shortUrl: created.data.shortUrl }, true);
  }
  const answer = BatchAnswer.safeParse(body);
  if (!answer.success) return forEach(NOT_UNDERSTOOD, false);
  const results = new Map(answer.data.results.map((result) => [result.index, result]));
  const items = requestIds.map((_, index): RequestResult => {
    const result = results.get(index);
    if (!result) return NOT_UNDERSTOOD;
    if ('link' in result) return { kind: 'created', shortUrl: result.link.shortUrl };
    return refusedItem(readErrorResponse({ ...refusal, status: result.status, body: result }));
  });
  return { items, answered: true, conclusive: true, refusedAsWhole: false, ...reported };
}

/**
 * Returns the result of a refused item. The service accepted the batch, so the refusal cannot be about the key or the
 * address of the service.
 */
function refusedItem(result: RequestResult): RequestResult {
  return result.kind === 'refused' && ABOUT_CONNECTION.includes(result.code) ? { ...result, code: 'refused' } : result;
}

function noResponse({ requestIds }: CreateRequest, code: ProblemCode): AttemptResult {
  return {
    items: requestIds.map(() => ({ kind: 'unclear', code, message: '' })),
    answered: false,
    conclusive: false,
    refusedAsWhole: false,
    ...NOT_REPORTED,
  };
}
