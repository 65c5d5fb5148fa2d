import { Hono, type MiddlewareHandler } from 'hono';
import type { Env } from '../api/endpoint.ts';
import { createReference } from '../api/openapi/docs-page.ts';
import { mountApi } from '../api/router.ts';
import { journalDirectoryOf } from '../clicks/start-click-counting.ts';
import { apiErrorPage, asksForPage } from '../dashboard/components/error-page.ts';
import { createDashboard } from '../dashboard/routes.ts';
import { TooManyWaiting } from '../domain/accounts/passwords.ts';
import { ApiError, errorResponse } from '../http/api-error.ts';
import { closeAfterResponse, isFullyReceived } from '../http/client-connections.ts';
import { statusInstead } from '../http/malformed-requests.ts';
import type { RequestLog } from '../http/request-log.ts';
import { createHostFiles, HOST_FILE_HEADERS, HOST_FILE_PATHS } from '../http/robots-and-security-txt.ts';
import { extendDeadline } from '../http/timeouts.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { LinkCache } from '../redirects/link-cache.ts';
import { StoreFull, StoreUnavailable } from '../store/interface/store.ts';
import { createLastUsedRecorder } from '../store/last-used-times.ts';
import type { ServiceParts } from './start-service.ts';

/** With the database away every request fails; one line in the log per minute is enough. In milliseconds. */
const LOG_EVERY = 60_000;

const SHUTTING_DOWN = { 'Retry-After': '5', Connection: 'close' };

const DISK_FULL = 'The disk of this service is full, so nothing can be saved. Its operator has to make room.';

/** The host of the API, the dashboard and the API's reference. */
export function createApiHost(parts: ServiceParts, links: LinkCache): Hono<Env> {
  const { config, baseUrl, shortBaseUrl, blocked, logRequest } = parts;
  const { limits, accountLimits, trustedProxies, proxyHeader } = config;
  const targets = {
    ownUrls: [baseUrl, shortBaseUrl],
    allowPrivate: config.allowPrivateTargets,
    blocks: blocked.blocks,
  };
  const lastUses = createLastUsedRecorder(parts.store, parts);
  const services = { ...parts, lastUses, limits, accountLimits, targets };

  const host = new Hono<Env>();
  host.use(completeAnswer(logRequest));
  host.use((_, next) => {
    if (parts.isStopping()) throw new ApiError('shutting_down', { headers: SHUTTING_DOWN });
    return next();
  });
  mountHostFiles(host, parts);
  mountApi(host, { ...services, forgetLink: links.forget });
  const uploadDirectory = journalDirectoryOf(config);
  host.route(
    '/',
    createDashboard({
      ...services,
      uploadDirectory,
      trustedProxies,
      proxyHeader,
      onLinkChanged: links.forget,
      extendDeadline,
    }),
  );
  host.route('/', createReference());
  host.notFound((context) => {
    const error = new ApiError('not_found');
    return asksForPage(context.req) ? apiErrorPage(context, error) : errorResponse(error);
  });
  host.onError(answerError(parts));
  return host;
}

/** Nothing on this host is for search engines. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

function mountHostFiles(host: Hono<Env>, { visitorFiles, clock }: ServiceParts): void {
  const fileAt = createHostFiles({ ...visitorFiles, robots: ROBOTS }, clock);
  for (const path of HOST_FILE_PATHS) {
    host.get(path, (context) => {
      const text = fileAt(path);
      return text === null ? context.notFound() : context.body(text, 200, HOST_FILE_HEADERS);
    });
  }
}

/** Adds the headers of every answer, and logs the request once it is answered. */
function completeAnswer(logRequest: RequestLog): MiddlewareHandler<Env> {
  return async (context, next) => {
    const start = performance.now();
    // On Node's own answer: to touch the headers of Hono's costs a twentieth of a create's time.
    const { incoming, outgoing } = context.env;
    // Files whose address changes with their content may be stored, and say so themselves.
    outgoing.setHeader('Cache-Control', 'no-store');
    outgoing.setHeader('X-Content-Type-Options', 'nosniff');
    await next();
    // The rest of its body would have to come before the connection can be used again, and nobody waits for it.
    if (!(await isFullyReceived(incoming))) closeAfterResponse(outgoing);
    logRequest({
      method: context.req.method,
      route: context.get('route') ?? null,
      status: statusInstead(incoming) ?? context.res.status,
      seconds: (performance.now() - start) / 1000,
      limit: context.get('limit') ?? null,
    });
  };
}

/** Answers an error as JSON, or as a page where a browser asked for one. */
function answerError({ log }: ServiceParts): Parameters<Hono<Env>['onError']>[0] {
  const outages = createThrottledLog(LOG_EVERY, (times, error) => log('error', 'a request failed', { times, error }));
  return (thrown, context) => {
    const error = apiErrorOf(thrown);
    if (thrown instanceof StoreUnavailable) outages.add(1, thrown);
    else if (error.code === 'internal_error') {
      log('error', 'a request failed', { route: context.var.route ?? null, error: thrown });
    }
    if (asksForPage(context.req)) return apiErrorPage(context, error);
    const response = errorResponse(error);
    // The limits belong on the error's answer as well.
    for (const [name, value] of context.res.headers) if (/^ratelimit/i.test(name)) response.headers.set(name, value);
    return response;
  };
}

/** How an error is answered; what is not expected becomes an internal error. */
function apiErrorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StoreFull) {
    return new ApiError('unavailable', { sentence: DISK_FULL, headers: { 'Retry-After': '60' } });
  }
  if (thrown instanceof StoreUnavailable) return new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
  if (thrown instanceof TooManyWaiting) {
    const sentence = 'Too many people are signing in just now. Wait a moment and try again.';
    return new ApiError('unavailable', { sentence, headers: { 'Retry-After': '2' } });
  }
  return new ApiError('internal_error');
}
