import { HEADER } from '@terse/contract/http-headers';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Exchange, HttpAnswer } from '../http-request-types.ts';
import { foreignResult, NOT_REPORTED, NOT_UNDERSTOOD } from '../response-to-result.ts';
import { readReported } from '../send-http-request.ts';
import type { AttemptResult, CreateRequest, ProblemCode, RequestResult, ServiceContext } from '../service-adapter.ts';
import { type ErrorResponse, isErrorBody, readErrorResponse } from './error-response.ts';

/** Status codes which show that the server refused a whole batch without processing its items. */
const REFUSED_AS_WHOLE = [400, 413, 415, 422];

/** Problems with the API key or the server's address. They affect every request to the server. */
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

/** Sends the POST request that creates the links of an attempt. */
export function* createLinks(attempt: CreateRequest, { apiKey }: ServiceContext): Exchange<AttemptResult> {
  const answer = yield {
    method: 'POST',
    path: attempt.path,
    headers: {
      [HEADER.authorization]: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      [HEADER.idempotencyKey]: attempt.idempotencyKey,
    },
    body: attempt.body,
  };
  return readCreateAnswer(answer, attempt);
}

/** Converts a response to one result for each request in the attempt. */
function readCreateAnswer(response: HttpAnswer, { path, requestIds }: CreateRequest): AttemptResult {
  const { status, json, retryAfterSeconds } = response;
  const reported = readReported(response);
  const isBatch = path === '/api/v1/urls/batch';
  const isSuccess = status >= 200 && status < 300;
  const forEach = (item: RequestResult, isOwn: boolean): AttemptResult => ({
    items: requestIds.map(() => item),
    answered: isOwn,
    conclusive: item.kind === 'created' || item.kind === 'refused',
    refusedAsWhole: isBatch && REFUSED_AS_WHOLE.includes(status),
    ...(isOwn ? reported : NOT_REPORTED),
  });
  const isOwnError = isErrorBody(json);
  const refusal: Omit<ErrorResponse, 'status' | 'body'> = {
    retryAfterSeconds,
    // The limits in a gateway's error belong to the gateway. They are not the quota of the API key.
    quotaSpent: (isSuccess || isOwnError) && reported.limits.quota?.remaining === 0,
  };
  if (!isSuccess) return forEach(readErrorResponse({ ...refusal, status, body: json }), isOwnError);
  if (!isBatch) {
    // Both `POST /api/shorten` and `POST /api/v1/urls` return `shortUrl` as a top-level property.
    const created = Created.safeParse(json);
    if (!created.success) return foreignResult(response, requestIds.length);
    return forEach({ kind: 'created', shortUrl: created.data.shortUrl }, true);
  }
  const answer = BatchAnswer.safeParse(json);
  if (!answer.success) return foreignResult(response, requestIds.length);
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
 * Returns the result for a batch item that the server refused. The API key and the address cannot be the reason,
 * because the server accepted the batch itself.
 */
function refusedItem(result: RequestResult): RequestResult {
  return result.kind === 'refused' && ABOUT_CONNECTION.includes(result.code) ? { ...result, code: 'refused' } : result;
}
