import type { IncomingMessage, RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { BlockedHosts } from '../blocked-hosts.ts';
import { journalDirectoryOf } from '../clicks/index.ts';
import type { Config } from '../config.ts';
import { apiErrorPage, asksForPage } from '../dashboard/error-response.ts';
import { createDashboard } from '../dashboard/mount.ts';
import { clientAddress, type TrustedProxies } from '../domain/client-address.ts';
import type { Clock } from '../domain/clock.ts';
import { GateFull } from '../domain/gate.ts';
import { networkOf } from '../domain/network.ts';
import type { Random } from '../domain/random.ts';
import type { Log } from '../log/log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { Metrics, SeenRequest } from '../metrics/index.ts';
import { createReference } from '../reference/mount.ts';
import { mountApi } from '../routes/api.ts';
import type { Env } from '../routes/endpoint.ts';
import { createEnumerationLimiter } from '../routes/enumeration-limiter.ts';
import { ApiError, errorResponse } from '../routes/errors.ts';
import { createFollowedLinks } from '../routes/followed-links.ts';
import { type ClickRecorder, createRedirectListener } from '../routes/redirect.ts';
import type { RedirectCounts } from '../routes/redirect-counts.ts';
import { createLinkCache, type LinkCache } from '../store/link-cache.ts';
import { type Store, StoreFull, StoreUnavailable } from '../store/store.ts';
import { notHttp } from './client-errors.ts';
import { extendDeadline } from './deadlines.ts';
import { requireWellFormed } from './well-formed.ts';

/** What the service is made of; everything that reaches outside is passed in. */
export interface Parts {
  config: Pick<
    Config,
    'limits' | 'accountLimits' | 'allowPrivateTargets' | 'trustedProxies' | 'database' | 'journalDirectory'
  >;
  /** Origins the public sees, without a trailing slash. */
  baseUrl: string;
  shortBaseUrl: string;
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  blocked: Pick<BlockedHosts, 'blocks' | 'blocksUrl'>;
  redirectCounts: RedirectCounts;
  clicks: ClickRecorder;
  /** Null where nobody asks for them. */
  metrics: Pick<Metrics, 'request'> | null;
  version: string;
  /** Has a stop wait for work that goes on after its answer. */
  holdStop(work: Promise<void>): void;
  /** True once a stop was asked for. */
  isStopping(): boolean;
}

export interface App {
  api: RequestListener;
  redirects: RequestListener;
}

/** With the database away every request fails; one line in the log for so long is enough, in milliseconds. */
const TELL_EVERY = 60_000;

export function createApp(parts: Parts): App {
  const { config, store, clock, random, log, blocked, redirectCounts, clicks } = parts;
  const links = createLinkCache(store.links);
  const limiter = createEnumerationLimiter(clientsBehind(config.trustedProxies, log), clock, random);
  const failures = createThrottledLog(TELL_EVERY, (times, error) =>
    log('error', 'a redirect failed', { times, error }),
  );
  const onError = (error: unknown) => failures.add(1, error);
  const redirects = createRedirectListener({
    links,
    followed: createFollowedLinks(clock),
    clock,
    limiter,
    isBlocked: blocked.blocksUrl,
    counts: redirectCounts,
    clicks,
    onError,
  });
  const api = getRequestListener(createApi(parts, links).fetch, {
    // No Request can be made of it, since its host is nonsensical.
    errorHandler() {
      countMalformed(parts);
      return errorResponse(notHttp());
    },
  });
  return {
    api: requireWellFormed(api, () => countMalformed(parts)),
    redirects: requireWellFormed(redirects, () => {
      redirectCounts.malformed += 1;
    }),
  };
}

/** What tells clients apart; says once where a proxy that is not trusted makes all of them look like one. */
function clientsBehind(trusted: TrustedProxies, log: Log): (request: IncomingMessage) => string {
  let told = false;
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    if (!told && headers['x-forwarded-for'] !== undefined && !trusted.includes(peer)) {
      told = true;
      log('warn', 'a request was forwarded by a proxy that is not in TERSE_TRUSTED_PROXIES, or claims to be');
    }
    return networkOf(clientAddress(peer, headers, trusted));
  };
}

/** Counts a request to the API host that is not well-formed. */
function countMalformed(parts: Parts): void {
  seen(parts, { method: null, route: null, status: 400, seconds: 0, limit: null });
}

/** Counts an answer, and writes its line in the log. */
function seen(
  { metrics, log }: Parts,
  { method, ...more }: Omit<SeenRequest, 'method'> & { method: string | null },
): void {
  const { route, status, seconds } = more;
  metrics?.request({ method: method ?? 'unknown', ...more });
  log('info', 'request', { method, route, status, ms: Math.round(seconds * 10_000) / 10 });
}

const DISK_FULL = 'The disk of this service is full, so nothing can be saved. Its operator has to make room.';

/** What an error looks like from outside. */
function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreFull)
    return new ApiError('unavailable', { sentence: DISK_FULL, headers: { 'Retry-After': '60' } });
  if (error instanceof StoreUnavailable) return new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
  if (error instanceof GateFull) {
    const sentence = 'Too many people are signing in just now. Wait a moment and try again.';
    return new ApiError('unavailable', { sentence, headers: { 'Retry-After': '2' } });
  }
  return new ApiError('internal_error');
}

const SHUTTING_DOWN = { 'Retry-After': '5', Connection: 'close' };

function createApi(parts: Parts, links: LinkCache): Hono<Env> {
  const { config, baseUrl, shortBaseUrl, log, blocked } = parts;
  const app = new Hono<Env>();
  const failures = createThrottledLog(TELL_EVERY, (times, error) => log('error', 'a request failed', { times, error }));

  app.use(async (context, next) => {
    const start = performance.now();
    await next();
    // Set in place: `context.header` would make a new answer of one that is made, and a stream of its body.
    const { headers, status } = context.res;
    // Files that never change under their address say so themselves.
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    headers.set('X-Content-Type-Options', 'nosniff');
    const seconds = (performance.now() - start) / 1000;
    const route = context.get('route') ?? null;
    seen(parts, { method: context.req.method, route, status, seconds, limit: context.get('limit') ?? null });
  });
  app.use((_, next) => {
    if (parts.isStopping()) throw new ApiError('shutting_down', { headers: SHUTTING_DOWN });
    return next();
  });
  const targets = {
    ownUrls: [baseUrl, shortBaseUrl],
    allowPrivate: config.allowPrivateTargets,
    blocks: blocked.blocks,
  };
  mountApi(app, {
    ...parts,
    forgetLink: links.forget,
    limits: config.limits,
    accountLimits: config.accountLimits,
    targets,
  });
  app.route(
    '/',
    createDashboard({
      ...parts,
      uploadDirectory: journalDirectoryOf(config),
      limits: config.limits,
      accountLimits: config.accountLimits,
      targets,
      trustedProxies: config.trustedProxies,
      onLinkChanged: links.forget,
      extendDeadline,
    }),
  );
  app.route('/', createReference());
  app.notFound((context) => {
    const refusal = new ApiError('not_found');
    return asksForPage(context.req) ? apiErrorPage(context, refusal) : errorResponse(refusal);
  });
  app.onError((error, context) => {
    const refusal = apiErrorOf(error);
    if (error instanceof StoreUnavailable) failures.add(1, error);
    else if (refusal.code === 'internal_error') {
      log('error', 'a request failed', { route: context.var.route ?? null, error });
    }
    if (asksForPage(context.req)) return apiErrorPage(context, refusal);
    const response = errorResponse(refusal);
    // A guard may have set headers that belong on a refusal too.
    for (const [name, value] of context.res.headers) if (/^ratelimit/i.test(name)) response.headers.set(name, value);
    return response;
  });
  return app;
}
