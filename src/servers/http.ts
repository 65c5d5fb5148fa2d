import { HEADER, type Limits, parseRateLimit, parseRetryAfter } from '@terse/contract/http-headers';

/* HTTP requests to servers. Adapters receive a `Call` and never call `fetch` themselves. */

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

/**
 * Maximum duration of a request without its own limit, in milliseconds. It is short, because the user or the queue waits
 * for the response.
 */
const TIMEOUT_MS = 10_000;

/** The browser's `fetch`. Tests replace it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Limits in the headers of a response. */
export interface Reported {
  limits: Limits;
}

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query with URL-encoded values, appended to the server's base address. Starts with a slash. */
  path: string;
  /** Headers, including the API key. */
  headers?: Record<string, string>;
  /** Exact text of the body. `headers` must contain its content type. */
  body?: string;
  /** Ends the request after its maximum duration, if that is not the usual one. */
  signal?: AbortSignal;
}

/** Response to an HTTP request, from the server or from a gateway in front of it. All its content is untrusted. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Body as text. Null if the body is larger than 5 MB or did not arrive completely. */
  text: string | null;
  /** Body as parsed JSON. Undefined if the body is not JSON. */
  json: unknown;
  /** Reason why the body did not arrive completely. Absent if it did. */
  brokenBy?: 'timeout' | 'no_answer';
  /** Number of seconds from the `Retry-After` header. Null if the response has no valid `Retry-After` header. */
  retryAfterSeconds: number | null;
}

/** Sends one request and returns the response. Throws `NoAnswer` if there is none. */
export type Call = (call: HttpCall) => Promise<HttpAnswer>;

/**
 * Error for a request without a usable response. `no_answer` means that the connection failed. For `redirected`, the
 * target is unknown, because redirects are never followed.
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly code: 'timeout' | 'no_answer' | 'redirected';

  constructor(code: NoAnswer['code']) {
    super(code);
    this.code = code;
  }
}

/**
 * Returns the `Call` for a server.
 *
 * @param now local time in milliseconds, used for responses without a `Date` header
 */
export function callsTo(fetch: Fetch, baseUrl: string, now: number): Call {
  return async ({ path, signal = AbortSignal.timeout(TIMEOUT_MS), ...init }) => {
    const response = await fetch(baseUrl + path, { ...FETCH_DEFAULTS, ...init, signal }).catch((error) => {
      throw new NoAnswer(failureCode(error));
    });
    if (isRedirect(response)) throw new NoAnswer('redirected');
    const { status, headers } = response;
    const date = Date.parse(headers.get('Date') ?? '');
    const retryAfterSeconds = parseRetryAfter(headers.get(HEADER.retryAfter), Number.isNaN(date) ? now : date);
    const head = { status, headers, retryAfterSeconds };
    try {
      const text = await readText(response);
      return { ...head, text, json: text === null ? undefined : parseJson(text) };
    } catch (error) {
      return { ...head, text: null, json: undefined, brokenBy: failureCode(error) };
    }
  };
}

/** Returns a request that accepts a JSON response. The request's JSON body is optional. */
export function jsonCall(
  method: HttpCall['method'],
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): HttpCall {
  const accepting = { Accept: 'application/json', ...headers };
  if (!body) return { method, path, headers: accepting };
  return { method, path, headers: { ...accepting, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** Returns the limits from the headers of a response. */
export function readReported({ headers }: HttpAnswer): Reported {
  return { limits: parseRateLimit(headers.get(HEADER.rateLimitPolicy), headers.get(HEADER.rateLimit)) };
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

function failureCode(error: unknown): 'timeout' | 'no_answer' {
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no_answer';
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
