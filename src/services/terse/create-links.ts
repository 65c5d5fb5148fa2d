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
 * Time limit of one request, in milliseconds. A browser may stop an idle background script after 30 seconds, so the
 * limit must be shorter.
 */
export const FETCH_TIMEOUT_MS = 20_000;

const NOT_UNDERSTOOD: RequestResult = { kind: 'unclear', code: 'not_understood', message: '' };

/** Replaces the time and limits of a gateway's response, because only those of the server matter. */
const NOT_REPORTED: Reported = { date: null, limits: { throttle: null, quota: null } };

/** Status codes with which the server refuses a whole batch without processing its items. */
const REFUSED_AS_WHOLE = [400, 413, 415, 422];

/** Problems with the API key or the server address. They affect every request to the server. */
const ABOUT_CONNECTION: ProblemCode[] = ['unauthorized', 'forbidden', 'not_a_service', 'redirected'];

const Created = z.object({ shortUrl: ShortUrl });

const BatchAnswer = z.object({
  results: z.array(
    z.union([
      z.object({ index: z.int(), status: z.literal(201), link: Created }),
      z.object({ index: z.int(), status: z.int(), error: z.string(), code: z.string() }),
    ]),
  ),
});

/** Sends a POST that creates links. Never throws. If there is no response, the result is `unclear`. */
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
 * Converts a response to one result for each request in the attempt.
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
    // An error from a gateway reports the gateway's limits, not the quota of the API key.
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
 * Returns the result of a batch item that the server refused. The server accepted the batch itself, so the API key
 * and the address cannot be the reason.
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
