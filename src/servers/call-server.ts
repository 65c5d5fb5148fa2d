import type { Analytics } from '@terse/contract/analytics';
import { HEADER, parseRetryAfter } from '@terse/contract/http-headers';
import {
  type AttemptResult,
  type CallContext,
  type CreateRequest,
  type Found,
  type LinkChanges,
  type LinkListPage,
  type LinkReference,
  type ListedLink,
  type NewLink,
  OperationFailed,
  type Probe,
  type ProbeResult,
  type ServiceAdapter,
  type ServiceKind,
  type ServiceProblem,
  type ServiceResult,
  serviceFailure,
} from './adapter.ts';
import { attemptResult, fail, foundIn, NO_LIMITS } from './answers.ts';
import { type KnownService, kindOf } from './capabilities.ts';
import { chhotoAdapter } from './chhoto.ts';
import { type Call, type Fetch, jsonCall, NoAnswer } from './http.ts';
import { kuttAdapter } from './kutt.ts';
import { shlinkAdapter } from './shlink.ts';
import { sinkAdapter } from './sink.ts';
import { terseAdapter } from './terse.ts';
import { yourlsAdapter } from './yourls.ts';

/* Calls to servers of all kinds. These functions do not throw if a server is unreachable or responds unexpectedly. */

const FETCH_DEFAULTS = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

/** Maximum length of a response body. A page of 100 links is shorter, even with the longest URLs and titles. */
const MAX_BODY_LENGTH = 5_000_000;

/**
 * Maximum duration of a request without its own limit, in milliseconds. It is short, because the user or the queue waits
 * for the response.
 */
const TIMEOUT_MS = 10_000;

/**
 * Maximum duration of an attempt to create links, in milliseconds. It must be less than 30 seconds, because a browser
 * may stop an idle background script after that time.
 */
const CREATE_TIMEOUT_MS = 20_000;

/** Maximum duration of each request that detects the kind of a server, in milliseconds. The user waits for the result. */
const DETECT_TIMEOUT_MS = 5_000;

/**
 * Maximum number of links that are deleted for one code. Several links may have the same code if they were created at
 * the same moment.
 */
const MAX_DELETIONS = 3;

/** Results of a health check without a response, by the reason. */
const UNREACHED = {
  timeout: 'timeout',
  no_answer: 'unreachable',
  redirected: 'redirected',
  server_error: 'unavailable',
} as const;

/**
 * Adapters in the order in which `detectKind` tests them. Shlink is tested first, because a Shlink server would count the
 * tests for other kinds of servers as visits.
 */
export const ADAPTERS: Record<ServiceKind, ServiceAdapter> = {
  terse: terseAdapter,
  specification: { ...terseAdapter, kind: 'specification' },
  shlink: shlinkAdapter,
  kutt: kuttAdapter,
  yourls: yourlsAdapter,
  sink: sinkAdapter,
  chhoto: chhotoAdapter,
};

/** A server to call, with its adapter and the data that the adapter needs. */
export interface Server {
  adapter: ServiceAdapter;
  context: CallContext;
}

/** Fields of a connection that are needed to send requests to its server. */
export interface CallableService extends KnownService {
  baseUrl: string;
}

/**
 * Returns the server of a connection.
 *
 * @param now current time in milliseconds
 */
export function openServer(fetch: Fetch, connection: CallableService, apiKey: string, now: number): Server {
  const { baseUrl, service } = connection;
  const call = callsTo(fetch, baseUrl, now);
  return { adapter: ADAPTERS[kindOf(connection)], context: { baseUrl, apiKey, service, now, call } };
}

/**
 * Sends a request to create links. If there is no response, the result is `unclear`, except after a redirect, which
 * shows that no link was created.
 */
export async function sendAttempt({ adapter, context }: Server, request: CreateRequest): Promise<AttemptResult> {
  const signal = AbortSignal.timeout(CREATE_TIMEOUT_MS);
  const call: Call = (one) => context.call({ ...one, signal });
  try {
    return await adapter.create(request, { ...context, call });
  } catch (error) {
    const code = error instanceof NoAnswer ? error.code : 'not_understood';
    const kind = code === 'redirected' ? 'not_made' : 'unclear';
    return attemptResult(
      request.requestIds.map(() => ({ kind, code, message: '' })),
      false,
    );
  }
}

/** Checks a server's health. A response with status 5xx means that the server is unavailable. */
export async function probeServer({ adapter, context }: Server): Promise<Probe> {
  const call: Call = async (one) => {
    const answer = await context.call(one);
    if (answer.status >= 500) throw new NoAnswer('server_error');
    return answer;
  };
  try {
    return { reached: true, ...(await adapter.probe({ ...context, call })) };
  } catch (error) {
    return { reached: false, problem: UNREACHED[error instanceof NoAnswer ? error.code : 'no_answer'] };
  }
}

/**
 * Converts the result of a health check for use by the queue. Returns null if the server is unreachable. A redirect
 * does not count as unreachable, because the server may still accept POST requests.
 */
export function probeResult(probe: Probe): ProbeResult {
  if (probe.reached) return probe;
  if (probe.problem !== 'redirected') return null;
  return { limits: NO_LIMITS, service: null, key: 'unknown', redirected: true };
}

/**
 * Determines the kind of a server with GET requests that contain no API key. The requests are sent one at a time.
 * With several open connections, a browser may silently repeat a POST request.
 *
 * @returns null if the server does not respond or if no kind matches
 */
export async function detectKind(fetch: Fetch, baseUrl: string, now: number): Promise<ServiceKind | null> {
  const call = callsTo(fetch, baseUrl, now);
  for (const { kind, detect } of Object.values(ADAPTERS)) {
    if (!detect) continue;
    try {
      const answer = await call({ ...jsonCall('GET', detect.path), signal: AbortSignal.timeout(DETECT_TIMEOUT_MS) });
      if (detect.matches(answer)) return kind;
    } catch (error) {
      if (!(error instanceof NoAnswer && error.code === 'redirected')) return null;
    }
  }
  return null;
}

/** Reads one page of the list of links, newest first. An empty cursor selects the first page. */
export function listLinks({ adapter, context }: Server, cursor: string): Promise<ServiceResult<LinkListPage>> {
  return operate(() => adapter.list(cursor, context));
}

/** Looks for the link of a request by its short code. */
export function findLink({ adapter, context }: Server, link: NewLink): Promise<Found> {
  const { shortCode, domain, url } = link;
  if (shortCode === undefined) return Promise.resolve({ state: 'unknown' });
  return foundIn(adapter.read({ shortCode, domain }, context), url);
}

/** Changes a link, but keeps all properties that are not in `changes`. Returns the link after the change. */
export function editLink(
  { adapter, context }: Server,
  link: LinkReference,
  changes: LinkChanges,
): Promise<ServiceResult<ListedLink>> {
  return operate(async () => {
    const edited = await adapter.edit(link, changes, context);
    // A response about another link does not show that this link was edited.
    return edited.shortCode.toLowerCase() === link.shortCode.toLowerCase() ? edited : fail('not_understood');
  });
}

/**
 * Deletes a link, and checks that it is deleted. A Wi-Fi login page may respond to any request with a success status, so
 * only the server's own answer shows that the link is gone. A link that is already deleted counts as deleted.
 */
export function deleteLink({ adapter, context }: Server, link: LinkReference): Promise<ServiceResult<null>> {
  return operate(async () => {
    for (let deletions = 0; deletions < MAX_DELETIONS; deletions++) {
      await adapter.delete(link, context).catch(unlessGone);
      // A key may be allowed to delete links, but not to read them.
      const left = await adapter.read(link, context).catch((error) => unlessGone(error, ['gone', 'forbidden']));
      if (!left) return null;
    }
    return fail('not_understood');
  });
}

/** Reads the clicks of a link in the last 30 days. */
export function readClicks({ adapter, context }: Server, link: LinkReference): Promise<ServiceResult<Analytics>> {
  return operate(async () => {
    return adapter.clicks?.(link, context) ?? fail('cannot_list');
  });
}

async function operate<T>(operation: () => Promise<T>): Promise<ServiceResult<T>> {
  try {
    return { value: await operation() };
  } catch (error) {
    if (error instanceof OperationFailed) return error.failure;
    if (!(error instanceof NoAnswer)) return serviceFailure('not_understood');
    return serviceFailure(error.code === 'redirected' ? 'redirected' : 'unreachable');
  }
}

function unlessGone(error: unknown, problems: ServiceProblem[] = ['gone']): null {
  if (error instanceof OperationFailed && problems.includes(error.failure.problem)) return null;
  throw error;
}

/**
 * Returns the `Call` for a server.
 *
 * @param now local time in milliseconds, used for responses without a `Date` header
 */
function callsTo(fetch: Fetch, baseUrl: string, now: number): Call {
  return async ({ path, signal = AbortSignal.timeout(TIMEOUT_MS), ...init }) => {
    try {
      const response = await fetch(baseUrl + path, { ...FETCH_DEFAULTS, ...init, signal });
      const { type, status, headers } = response;
      // Browsers hide the status code of a redirect that `fetch` does not follow.
      if (type === 'opaqueredirect' || (status >= 300 && status < 400)) throw new NoAnswer('redirected');
      const date = Date.parse(headers.get('Date') ?? '');
      const retryAfterSeconds = parseRetryAfter(headers.get(HEADER.retryAfter), Number.isNaN(date) ? now : date);
      const text = await readText(response);
      return { status, headers, text, json: text === null ? undefined : parseJson(text), retryAfterSeconds };
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      throw new NoAnswer(isTimeout ? 'timeout' : 'no_answer');
    }
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the body as text, or null if the body is too long. */
async function readText({ body }: Response): Promise<string | null> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > MAX_BODY_LENGTH) return null;
  }
  return text;
}
