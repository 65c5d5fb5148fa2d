import type {
  AttemptResult,
  CallContext,
  CreateRequest,
  NewLink,
  Probe,
  ProbeResult,
  RequestResult,
  ServiceAdapter,
  ServiceKind,
} from './adapter.ts';
import { NOT_REPORTED, NOT_UNDERSTOOD } from './answers.ts';
import { type KnownService, kindOf } from './capabilities.ts';
import { chhotoAdapter } from './chhoto.ts';
import { type Call, callsTo, type Fetch, jsonCall, NoAnswer } from './http.ts';
import { kuttAdapter } from './kutt.ts';
import { shlinkAdapter } from './shlink.ts';
import { sinkAdapter } from './sink.ts';
import { specificationAdapter, terseAdapter } from './terse.ts';
import { yourlsAdapter } from './yourls.ts';

/* Calls to servers of all kinds. These functions do not throw if a server is unreachable or responds unexpectedly. */

/**
 * Maximum duration of an attempt to create links, in milliseconds. It must be less than 30 seconds, because a browser
 * may stop an idle background script after that time.
 */
const CREATE_TIMEOUT_MS = 20_000;

/** Maximum duration of each request that detects the kind of a server, in milliseconds. The user waits for the result. */
const DETECT_TIMEOUT_MS = 5_000;

/** Status codes with which a gateway reports that the server is down. */
const GATEWAY_ERRORS = [502, 503, 504];

/**
 * Adapters in the order in which `detectKind` tests them. Shlink is tested first, because a Shlink server would count the
 * tests for other kinds of servers as visits.
 */
export const ADAPTERS: Record<ServiceKind, ServiceAdapter> = {
  terse: terseAdapter,
  specification: specificationAdapter,
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
  domain?: string;
}

/**
 * Returns the server of a connection.
 *
 * @param now current time in milliseconds
 */
export function openServer(fetch: Fetch, connection: CallableService, apiKey: string, now: number): Server {
  const { baseUrl, service, domain = null } = connection;
  const call = callsTo(fetch, baseUrl, now);
  return { adapter: ADAPTERS[kindOf(connection)], context: { baseUrl, apiKey, domain, service, now, call } };
}

/** Sends a request to create links. If there is no response, the result is `unclear`. */
export async function sendAttempt({ adapter, context }: Server, request: CreateRequest): Promise<AttemptResult> {
  const signal = AbortSignal.timeout(CREATE_TIMEOUT_MS);
  const call: Call = (one) => context.call({ ...one, signal });
  try {
    return await adapter.create(request, { ...onDomainOf(request.links[0], context), call });
  } catch (error) {
    const items = request.requestIds.map(() => withoutAnswer(error));
    return { ...NOT_REPORTED, items, answered: false, refusedAsWhole: false };
  }
}

/** Checks a server's health. */
export async function probeServer({ adapter, context }: Server): Promise<Probe> {
  try {
    return await adapter.probe(context);
  } catch (error) {
    const code = error instanceof NoAnswer ? error.code : 'no_answer';
    return { reached: false, problem: code === 'no_answer' ? 'unreachable' : code };
  }
}

/**
 * Converts the result of a health check for use by the queue. Returns null if the server is unreachable. A redirect
 * does not count as unreachable, because the server may still accept POST requests.
 */
export function probeResult(probe: Probe): ProbeResult {
  if (probe.reached) return probe;
  if (probe.problem !== 'redirected') return null;
  return { ...NOT_REPORTED, service: null, key: 'unknown', redirected: true };
}

/**
 * Determines the kind of a server with GET requests that contain no API key. The requests are sent one at a time.
 * With several open connections, a browser may silently repeat a POST request.
 *
 * @returns `unavailable` if a gateway reports that the server is down. Null if the server does not respond or if no
 * kind matches.
 */
export async function detectKind(
  fetch: Fetch,
  baseUrl: string,
  now: number,
): Promise<ServiceKind | 'unavailable' | null> {
  const call = callsTo(fetch, baseUrl, now);
  let isUnavailable = false;
  for (const { kind, detect } of Object.values(ADAPTERS)) {
    if (!detect) continue;
    try {
      const answer = await call({ ...jsonCall('GET', detect.path), signal: AbortSignal.timeout(DETECT_TIMEOUT_MS) });
      if (detect.matches(answer)) return kind;
      isUnavailable ||= GATEWAY_ERRORS.includes(answer.status);
    } catch (error) {
      if (!(error instanceof NoAnswer && error.code === 'redirected')) return null;
    }
  }
  return isUnavailable ? 'unavailable' : null;
}

/** Returns the context with the domain of the link, because the connection may have a different domain by now. */
export function onDomainOf(link: NewLink | undefined, context: CallContext): CallContext {
  return { ...context, domain: link?.domain ?? null };
}

/** Returns the result of a link whose create request got no usable response. A redirect shows that no link was created. */
function withoutAnswer(error: unknown): RequestResult {
  if (!(error instanceof NoAnswer)) return NOT_UNDERSTOOD;
  const { code } = error;
  return { kind: code === 'redirected' ? 'not_made' : 'unclear', code, message: '' };
}
