import { type Exchange, NoAnswer } from './http-request-types.ts';
import { type ServiceResult, serviceFailure } from './link-operations.ts';
import { linksOf } from './links-in-attempt.ts';
import { NOT_REPORTED, NOT_UNDERSTOOD } from './response-to-result.ts';
import { runExchange, type SendOptions } from './send-http-request.ts';
import type {
  AttemptResult,
  CreateRequest,
  Fetch,
  Found,
  NewLink,
  Probe,
  ProbeResult,
  RequestResult,
  ServiceAdapter,
  ServiceContext,
  ServiceInfo,
} from './service-adapter.ts';

/*
 * Functions that perform the operations of adapters. They do not throw if a server is unreachable or responds
 * unexpectedly.
 */

/**
 * Maximum duration of a request that creates links, in milliseconds. It must be less than 30 seconds, because a
 * browser may stop an idle background script after that time.
 */
const CREATE_TIMEOUT_MS = 20_000;

/**
 * Maximum duration of a request that does not create links, in milliseconds. It is short, because the user or the
 * queue waits for the response.
 */
const TIMEOUT_MS = 10_000;

/** A server to call, with its adapter and the data that the adapter needs. */
export interface Server {
  fetch: Fetch;
  adapter: ServiceAdapter;
  context: ServiceContext;
  /** Maximum duration of one request, in milliseconds. The default depends on the operation. */
  limitMs?: number;
}

/** A stored attempt to create links. Its links are not stored separately, because `body` contains them. */
type StoredAttempt = Omit<CreateRequest, 'links'>;

/** Sends an attempt to create links. If there is no response, the result is `unclear`. */
export async function sendAttempt(server: Server, attempt: StoredAttempt): Promise<AttemptResult> {
  const { adapter, context, limitMs = CREATE_TIMEOUT_MS } = server;
  const request = { ...attempt, links: linksOf(attempt) };
  try {
    const exchange = adapter.create(request, onDomainOf(request.links[0], context));
    return await runExchange(exchange, { ...optionsOf(server, limitMs), totalMs: limitMs });
  } catch (error) {
    return withoutAnswer(attempt, error);
  }
}

/**
 * Looks for links by their short codes.
 *
 * @param links the links to look for, by request id
 */
export async function findLinks(server: Server, links: Map<string, NewLink>): Promise<Map<string, Found>> {
  const { adapter, context } = server;
  const find = async (link: NewLink): Promise<Found> => {
    const { shortCode } = link;
    if (!adapter.find || shortCode === undefined) return { state: 'unknown' };
    const exchange = adapter.find({ ...link, shortCode }, onDomainOf(link, context));
    return runExchange(exchange, optionsOf(server)).catch((): Found => ({ state: 'unknown' }));
  };
  return new Map(await Promise.all([...links].map(async ([id, link]) => [id, await find(link)] as const)));
}

/** Returns the context with the domain of the link, because the connection may have a different domain by now. */
function onDomainOf(link: NewLink | undefined, context: ServiceContext): ServiceContext {
  return { ...context, domain: link?.domain ?? null };
}

/** Checks a server's health. */
export async function probeServer(server: Server): Promise<Probe> {
  try {
    return await runExchange(server.adapter.probe(server.context), optionsOf(server));
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
  if (!probe.reached) {
    const redirected = { ...NOT_REPORTED, service: null, key: 'unknown' as const, redirected: true };
    return probe.problem === 'redirected' ? redirected : null;
  }
  const { date, limits, key, isPage } = probe;
  const state = key === null ? 'unknown' : typeof key === 'string' ? key : 'accepted';
  return { date, limits, service: serviceInfoOf(probe), key: state, ...(isPage && { isPage }) };
}

export function serviceInfoOf(probe: Probe): ServiceInfo | null {
  if (!probe.reached || !probe.document) return null;
  const { name, shortBaseUrl, features, codes, refusedTargets, domains, maxUrlBytes } = probe.document;
  return {
    name,
    shortBaseUrl,
    features,
    ...(codes && { codes }),
    ...(refusedTargets && { refusedTargets }),
    ...(domains && { domains }),
    ...(maxUrlBytes && { maxUrlBytes }),
  };
}

/**
 * Runs an operation of the adapter, such as `list` or `edit`. If the adapter lacks the operation, the error code is
 * always `cannot_list`.
 */
export async function callServer<T>(
  server: Server,
  operation: (adapter: ServiceAdapter, context: ServiceContext) => Exchange<ServiceResult<T>> | undefined,
): Promise<ServiceResult<T>> {
  const exchange = operation(server.adapter, server.context);
  if (!exchange) return serviceFailure('cannot_list');
  try {
    return await runExchange(exchange, optionsOf(server));
  } catch (error) {
    if (!(error instanceof NoAnswer)) return serviceFailure('not_understood');
    return serviceFailure(error.code === 'redirected' ? 'redirected' : 'unreachable');
  }
}

function optionsOf({ fetch, context, limitMs }: Server, defaultMs = TIMEOUT_MS): SendOptions {
  const { baseUrl, now } = context;
  return { fetch, baseUrl, now, limitMs: limitMs ?? defaultMs };
}

/** Returns the result of an attempt whose last request got no usable response. */
function withoutAnswer({ requestIds }: StoredAttempt, error: unknown): AttemptResult {
  const { code = null, isFirst = false } = error instanceof NoAnswer ? error : {};
  const items = requestIds.map((): RequestResult => {
    if (code === null) return NOT_UNDERSTOOD;
    if (code === 'redirected' && isFirst) return { kind: 'not_made', code, message: '' };
    return { kind: 'unclear', code: code === 'redirected' ? 'no_answer' : code, message: '' };
  });
  return { ...NOT_REPORTED, items, answered: false, conclusive: false, refusedAsWhole: false };
}
