import { HEADER, parseRateLimit, parseRetryAfter } from '@terse/contract/http-headers';
import { type Exchange, type HttpAnswer, type HttpCall, NoAnswer } from './http-request-types.ts';
import type { Fetch, Reported } from './service-adapter.ts';

const FETCH_DEFAULTS = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

/**
 * Maximum size of a response body, in bytes. A page of 100 links stays below this size, even with the longest URLs
 * and titles.
 */
const MAX_BODY_BYTES = 5_000_000;

export interface SendOptions {
  fetch: Fetch;
  baseUrl: string;
  /** Maximum duration of one request, in milliseconds. */
  limitMs: number;
  /**
   * Maximum duration of the whole exchange, in milliseconds. If absent, only the duration of each request is limited.
   */
  totalMs?: number;
  /** Local time in milliseconds, used for responses without a `Date` header. */
  now: number;
}

/**
 * Sends the requests of an exchange one after the other, and returns the result of the exchange.
 *
 * @throws NoAnswer if a request gets no usable response and the exchange does not catch the error
 */
export async function runExchange<T>(exchange: Exchange<T>, options: SendOptions): Promise<T> {
  const whole = options.totalMs === undefined ? [] : [AbortSignal.timeout(options.totalMs)];
  let step = exchange.next();
  for (let isFirst = true; !step.done; isFirst = false) {
    const outcome = await perform(step.value, options, whole, isFirst);
    step = outcome instanceof NoAnswer ? exchange.throw(outcome) : exchange.next(outcome);
  }
  return step.value;
}

async function perform(
  call: HttpCall,
  options: SendOptions,
  whole: AbortSignal[],
  isFirst: boolean,
): Promise<HttpAnswer | NoAnswer> {
  const { fetch, baseUrl, limitMs, now } = options;
  const { method, path, headers = {}, body } = call;
  let head: HttpAnswer | null = null;
  try {
    const response = await fetch(baseUrl + path, {
      ...FETCH_DEFAULTS,
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([AbortSignal.timeout(limitMs), ...whole]),
    });
    if (isRedirect(response)) return new NoAnswer('redirected', null, isFirst);
    head = headOf(response, now);
    if (!call.ignoresBody) return withBody(head, await readText(response));
    void response.body?.cancel().catch(() => undefined);
    return head;
  } catch (error) {
    return new NoAnswer(isTimeout(error) ? 'timeout' : 'no_answer', head, isFirst);
  }
}

/** Returns the time and the limits from the headers of a response. */
export function readReported({ headers, date }: HttpAnswer): Reported {
  return { date, limits: parseRateLimit(headers.get(HEADER.rateLimitPolicy), headers.get(HEADER.rateLimit)) };
}

function headOf({ status, headers }: Response, now: number): HttpAnswer {
  const parsed = Date.parse(headers.get('Date') ?? '');
  const date = Number.isNaN(parsed) ? null : parsed;
  const retryAfterSeconds = parseRetryAfter(headers.get(HEADER.retryAfter), date ?? now);
  return { status, headers, text: null, json: undefined, date, retryAfterSeconds };
}

function withBody(head: HttpAnswer, text: string | null): HttpAnswer {
  return { ...head, text, json: text === null ? undefined : parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if the response is a redirect. Browsers hide the status code of a redirect that `fetch` does not follow. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** Returns the body as text, or null if the response has no body or the body is too large. */
async function readText(response: Response): Promise<string | null> {
  if (!response.body) return null;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MAX_BODY_BYTES) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
