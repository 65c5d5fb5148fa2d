import type * as z from 'zod/mini';

/* HTTP requests of adapters, and responses. Adapters receive a `Call` and never call `fetch` themselves. */

/** The browser's `fetch`. Tests replace it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
  /** Body as text. Null if the body is too long. */
  text: string | null;
  /** Body as parsed JSON. Undefined if the body is not JSON. */
  json: unknown;
  /** Number of seconds from the `Retry-After` header. Null if the response has no valid `Retry-After` header. */
  retryAfterSeconds: number | null;
}

/** Sends one request and returns the complete response. Throws `NoAnswer` if there is none. */
export type Call = (call: HttpCall) => Promise<HttpAnswer>;

/**
 * Error for a request without a usable response. `no_answer` means that the connection failed. For `redirected`, the
 * target is unknown, because redirects are never followed. `server_error` is a status 5xx in a health check.
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly code: 'timeout' | 'no_answer' | 'redirected' | 'server_error';

  constructor(code: NoAnswer['code']) {
    super(code);
    this.code = code;
  }
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

/** Returns the body of a response with status 200, or undefined if the status or the body is different. */
export function parseOk<T>({ status, json }: HttpAnswer, schema: z.ZodMiniType<T>): T | undefined {
  return status === 200 ? schema.safeParse(json).data : undefined;
}

/** Returns a function that creates a value at its first call, so that unused kinds of servers cost no start-up time. */
export function lazy<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
