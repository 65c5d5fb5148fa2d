/*
 * HTTP requests and responses as plain data. An adapter describes the requests of an operation and interprets the
 * responses. Only `send-http-request.ts` accesses the network.
 */

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Path and query, appended to the server's base address. The path starts with a slash, and all values must be
   * URL-encoded.
   */
  path: string;
  /** Headers, including the API key. */
  headers?: Record<string, string>;
  /** Exact text of the body. `headers` must contain its content type. */
  body?: string;
  /** True if only the status matters. The body is not read in this case. */
  ignoresBody?: boolean;
}

/** Response to an HTTP request, from the server or from a gateway in front of it. All its content is untrusted. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Body as text. Null if the body was larger than 5 MB or was not read. */
  text: string | null;
  /** Body as parsed JSON. Undefined if the body is not JSON. */
  json: unknown;
  /** Time from the `Date` header, in milliseconds. Null if the response has no valid `Date` header. */
  date: number | null;
  /** Number of seconds from the `Retry-After` header. Null if the response has no valid `Retry-After` header. */
  retryAfterSeconds: number | null;
}

/**
 * Error that an `Exchange` receives if a request gets no usable response. If the adapter does not catch the error,
 * the operation ends with a default result, such as "the link may exist".
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  /**
   * `no_answer` means that the connection failed. For `redirected`, the target is unknown, because redirects are
   * never followed.
   */
  readonly code: 'timeout' | 'no_answer' | 'redirected';
  /** Status and headers, if they arrived before the connection broke. */
  readonly head: HttpAnswer | null;
  /** True if this was the first request of the exchange. */
  readonly isFirst: boolean;

  constructor(code: NoAnswer['code'], head: HttpAnswer | null, isFirst: boolean) {
    super(code);
    this.code = code;
    this.head = head;
    this.isFirst = isFirst;
  }
}

/**
 * One operation on a server, as a generator without side effects. The generator yields each request, receives the
 * response to it, and finally returns the result of the operation.
 *
 *     function* readTitle(): Exchange<string> {
 *       const answer = yield { method: 'GET', path: '/title' };
 *       return answer.text ?? '';
 *     }
 */
export type Exchange<T> = Generator<HttpCall, T, HttpAnswer>;

/** Returns a request that accepts a JSON response. The request's JSON body is optional. */
export function jsonCall(
  method: HttpCall['method'],
  path: string,
  headers: Record<string, string>,
  body?: object,
): HttpCall {
  const accepting = { Accept: 'application/json', ...headers };
  if (!body) return { method, path, headers: accepting };
  return { method, path, headers: { ...accepting, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
