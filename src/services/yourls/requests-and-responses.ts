import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Exchange, HttpAnswer, HttpCall } from '../http-request-types.ts';
import { MAX_LENGTH, type ServiceFailure, type ServiceProblem } from '../link-operations.ts';
import { messageOf } from '../response-to-result.ts';
import type { ServiceContext } from '../service-adapter.ts';

const Code = z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.shortCode));

const Expanded = z.object({
  keyword: Code,
  shorturl: ShortUrl,
  longurl: z.string().check(z.maxLength(MAX_LENGTH.url)),
  title: z.optional(z.nullable(z.string())),
});
export type Expanded = z.infer<typeof Expanded>;

/** Older versions send numeric status codes. */
const Status = z.union([z.string(), z.number()]);

const Failure = z.object({
  status: z.optional(z.string()),
  code: z.optional(z.string()),
  message: z.string(),
  errorCode: z.optional(Status),
  statusCode: z.optional(Status),
});

/** A failure reported by YOURLS. The HTTP status is 200, 400 or 500, depending on the version. */
export interface YourlsFailure {
  /** Error code of a create request, such as `error:keyword`. Empty for other actions. */
  code: string;
  message: string;
  /** HTTP status in the response body. 0 if the body contains no status. */
  status: number;
}

/** Returns a request to YOURLS' API. Parameters are sent as a form, because web servers log the query. */
export function request({ apiKey }: ServiceContext, action: string, parameters: Record<string, string> = {}): HttpCall {
  return {
    method: 'POST',
    path: '/yourls-api.php',
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action, format: 'json', signature: apiKey, ...parameters }).toString(),
  };
}

/** Returns the failure in a response. Null if the response is a success or is not from YOURLS. */
export function readFailure({ json }: HttpAnswer): YourlsFailure | null {
  const body = Failure.safeParse(json).data;
  if (!body) return null;
  const { status, code = '', message, errorCode, statusCode } = body;
  const named = Number(errorCode || statusCode || 0);
  if (status !== 'fail' && !(named >= 400)) return null;
  return { code, message: messageOf(message), status: named };
}

/**
 * Reads the link with this code, even if it belongs to another user. `link` is null if no link has the code. `failed`
 * is the response if the request failed.
 */
export function* expand(
  shortCode: string,
  context: ServiceContext,
): Exchange<{ link: Expanded | null } | { failed: HttpAnswer }> {
  const answer = yield request(context, 'expand', { shorturl: shortCode });
  const failure = readFailure(answer);
  if (failure?.status === 404) return { link: null };
  const link = failure ? undefined : Expanded.safeParse(answer.json).data;
  return link?.keyword === shortCode ? { link } : { failed: answer };
}

/** True if the response says that no plugin provides the action. */
export function isUnknownAction(answer: HttpAnswer): boolean {
  return readFailure(answer)?.message === 'Unknown or missing "action" parameter';
}

/** Converts an error response, or an unexpected response, to a `ServiceFailure`. */
export function failureOf(answer: HttpAnswer): ServiceFailure {
  const { code = '', message = '' } = readFailure(answer) ?? {};
  return { problem: problemOf(answer), code, message, retryAfterSeconds: answer.retryAfterSeconds };
}

function problemOf(answer: HttpAnswer): ServiceProblem {
  if (answer.status === 429) return 'throttled';
  const failure = readFailure(answer);
  if (!failure) return answer.status >= 500 ? 'unreachable' : 'not_understood';
  if (failure.status === 403) return 'unauthorized';
  if (failure.status === 404) return 'gone';
  return isUnknownAction(answer) ? 'cannot_list' : 'refused';
}
