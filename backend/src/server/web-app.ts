import type { RequestListener } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { createDocsPage } from '../api/openapi/docs-page.ts';
import { mountApi } from '../api/router.ts';
import type { Env, Services } from '../api/services.ts';
import type { Config } from '../config/environment.ts';
import { errorPage, wantsHtml } from '../dashboard/components/layout.ts';
import { createDashboard } from '../dashboard/routes.ts';
import { TooManyWaiting } from '../domain/accounts/passwords.ts';
import type { TargetRules } from '../domain/links/link-rules.ts';
import { ApiError, errorResponse, NO_CONTENT_POLICY } from '../http/api-error.ts';
import type { OnMalformed } from '../http/http-server.ts';
import { createThrottledLog, type Log, type RequestLog } from '../log/log.ts';
import type { Store } from '../store/open-store.ts';
import { StoreFull, StoreUnavailable } from '../store/store-errors.ts';

export interface WebAppServices
  extends Omit<Services, 'targets' | 'lastUses' | Exclude<keyof Config, 'baseUrl' | 'shortBaseUrls'>> {
  config: Config;
  logRequest: RequestLog;
  /** True if the operator has blocked the host. Null if no hosts are blocked. */
  isHostBlocked: TargetRules['blocks'];
  /** Called with the HTTP status of the response to a request with an invalid URL. */
  onMalformed: OnMalformed;
}

/** Content of `robots.txt`, which asks search engines not to list any page of this host. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** Creates the handler of all requests to the API and the dashboard. */
export function createWebListener(services: WebAppServices): RequestListener {
  const { config, baseUrl, shortBaseUrls, isHostBlocked, log, onMalformed, stopping } = services;
  const targets = {
    ownUrls: [baseUrl, ...shortBaseUrls],
    allowPrivate: config.allowPrivateTargets,
    maxUrlBytes: config.maxUrlBytes,
    blocks: isHostBlocked,
  };
  const shared = { ...config, ...services, targets, lastUses: createLastUsedRecorder(services.store, log) };

  const app = new Hono<Env>();
  app.use(addHeadersAndLog(services.logRequest));
  app.use((_, next) => {
    if (stopping.aborted) throw new ApiError('shutting_down', { headers: { 'Retry-After': '5', Connection: 'close' } });
    return next();
  });
  app.get('/robots.txt', (context) => context.text(ROBOTS));
  mountApi(app, shared);
  app.route('/', createDashboard(shared));
  app.route('/', createDocsPage());
  app.notFound((context) => {
    const error = new ApiError('not_found');
    return wantsHtml(context.req) ? errorPage(context, error) : errorResponse(error);
  });
  app.onError(createErrorHandler(log));
  return getRequestListener(app.fetch, {
    // Provides the host for HTTP/1.0 requests without a `Host` header.
    hostname: new URL(baseUrl).host,
    errorHandler(error) {
      if (error instanceof RequestError) {
        onMalformed(400);
        return errorResponse(new ApiError('invalid_request'));
      }
      log('error', 'a request failed', { error });
      return errorResponse(new ApiError('internal_error'));
    },
  });
}

function addHeadersAndLog(logRequest: RequestLog): MiddlewareHandler<Env> {
  return async (context, next) => {
    const start = performance.now();
    // Uses Node's response object, because setting headers with Hono would make requests that create links 5 %
    // slower.
    const { outgoing } = context.env;
    // Default headers. Static files replace `Cache-Control`, and pages replace `Content-Security-Policy`.
    outgoing.setHeader('Cache-Control', 'no-store');
    outgoing.setHeader('Content-Security-Policy', NO_CONTENT_POLICY);
    outgoing.setHeader('X-Content-Type-Options', 'nosniff');
    await next();
    logRequest({
      method: context.req.method,
      route: context.get('route') ?? null,
      status: context.res.status,
      seconds: (performance.now() - start) / 1000,
      limit: context.get('limit') ?? null,
    });
  };
}

/** Milliseconds between two log lines about an outage. If the database is unavailable, every request fails. */
const OUTAGE_LOG_INTERVAL = 60_000;

/** Returns an error handler. Browsers get an HTML page, and other clients get JSON. */
function createErrorHandler(log: Log): Parameters<Hono<Env>['onError']>[0] {
  const outageLog = createThrottledLog(OUTAGE_LOG_INTERVAL, (times, error) =>
    log('error', 'a request failed', { times, error }),
  );
  return (thrown, context) => {
    const error = toApiError(thrown);
    if (thrown instanceof StoreUnavailable) outageLog.add(1, thrown);
    else if (error.code === 'internal_error') {
      log('error', 'a request failed', { route: context.var.route ?? null, error: thrown });
    }
    if (wantsHtml(context.req)) return errorPage(context, error);
    const response = errorResponse(error);
    // Adds the rate limit headers, because error responses must contain them too.
    for (const [name, value] of context.res.headers) if (/^ratelimit/i.test(name)) response.headers.set(name, value);
    return response;
  };
}

const DISK_FULL = 'The disk of this service is full, so nothing can be saved. The operator must free up space.';

/**
 * Returns the error to send to the client. Unexpected errors become `internal_error`, because clients must not see
 * the details.
 */
function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StoreFull) {
    return new ApiError('unavailable', { message: DISK_FULL, headers: { 'Retry-After': '60' } });
  }
  if (thrown instanceof StoreUnavailable) return new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
  if (thrown instanceof TooManyWaiting) {
    const message = 'Too many people are signing in right now. Wait a moment and try again.';
    return new ApiError('unavailable', { message, headers: { 'Retry-After': '2' } });
  }
  return new ApiError('internal_error');
}

/** Age in milliseconds at which a stored time is replaced. A higher precision would require more writes. */
const LAST_USED_PRECISION_MS = 60_000;

/**
 * Records when API keys and sessions were last used. Requests do not wait until the time is stored, and they succeed
 * even if the time cannot be stored. The next request with the same API key or session then tries again.
 */
function createLastUsedRecorder({ keys, sessions }: Store, log: Log) {
  const failures = createThrottledLog(OUTAGE_LOG_INTERVAL, (times, error) =>
    log('error', 'could not save when a key or session was last used', { times, error }),
  );

  const recorder =
    (touch: (id: number, now: number) => Promise<void>) =>
    ({ id, lastUsedAt }: { id: number; lastUsedAt: number | null }, now: number): void => {
      if (Math.abs(now - (lastUsedAt ?? 0)) >= LAST_USED_PRECISION_MS) {
        touch(id, now).catch((error) => failures.add(1, error));
      }
    };
  return {
    key: recorder((id, now) => keys.touch(id, now)),
    session: recorder((id, now) => sessions.touch(id, now)),
  };
}
