/*
 * HTTP requests and answers as plain data. An adapter describes the requests of an operation and reads the answers.
 * Only `http-client.ts` uses the network.
 */

/** One HTTP request to a server. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, added to the server's base address. Starts with a slash. Values in it must be encoded. */
  path: string;
  /** Headers, including the one that carries the API key. */
  headers?: Record<string, string>;
  /** Exact text of the body. Its type must be in `headers`. */
  body?: string;
  /** True if only the status matters. The body is then not read. */
  ignoresBody?: boolean;
}

/** Answer to an HTTP request, from the server or from a gateway in front of it. All of it is untrusted. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Body as text. Null if the body is larger than 5 MB or was not read. */
  text: string | null;
  /** Body as parsed JSON. Undefined if the body is not JSON. */
  json: unknown;
  /** Time of the `Date` header in milliseconds. Null if the answer has no valid one. */
  date: number | null;
  /** Seconds of the `Retry-After` header. Null if the answer has no valid one. */
  retryAfterSeconds: number | null;
}

/**
 * Error that the sender throws into an exchange if a request has no usable answer. An adapter may catch it. If it does
 * not, the operation ends with the result that fits, such as "the link may exist" for a create.
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  /** `no_answer` if the connection failed. Redirects are never followed, so their target is unknown. */
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
 * One operation at a server, as a generator: it yields each request and receives its answer, one after the other, and
 * returns the result. It has no side effects.
 *
 *     function* readTitle(): Exchange<string> {
 *       const answer = yield { method: 'GET', path: '/title' };
 *       return answer.text ?? '';
 *     }
 */
export type Exchange<T> = Generator<HttpCall, T, HttpAnswer>;
