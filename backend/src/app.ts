import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Config } from './config.ts';
import type { Clock } from './domain/clock.ts';
import type { Random } from './domain/random.ts';
import type { Log } from './log.ts';
import { mountApi } from './routes/api.ts';
import type { Env } from './routes/endpoint.ts';
import { errorResponse, Refusal } from './routes/errors.ts';
import { createRedirectListener } from './routes/redirect.ts';
import { createLinkCache, type LinkCache } from './store/link-cache.ts';
import type { Store } from './store/store.ts';

/** What the service is made of; everything that reaches outside is passed in. */
export interface Parts {
  config: Pick<Config, 'limits' | 'allowPrivateTargets'>;
  /** Origins the public sees, without a trailing slash. */
  baseUrl: string;
  shortBaseUrl: string;
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  version: string;
  /** True once a stop was asked for. */
  isStopping(): boolean;
}

export interface App {
  api: RequestListener;
  redirects: RequestListener;
}

export function createApp(parts: Parts): App {
  const { store, clock, log } = parts;
  const links = createLinkCache(store.links);
  const onError = (error: unknown) => log('error', 'a redirect failed', { error });
  return {
    api: getRequestListener(createApi(parts, links).fetch, { errorHandler: unreadable }),
    redirects: createRedirectListener({ links, clock, onError }),
  };
}

/** A request that no Request can be made of: without a host (RFC 9112, section 3.2), or with a nonsensical one. */
function unreadable(): Response {
  return errorResponse(new Refusal('invalid_request', { sentence: 'This is not a well-formed HTTP request.' }));
}

const SHUTTING_DOWN = { 'Retry-After': '5', Connection: 'close' };

function createApi(parts: Parts, links: LinkCache): Hono<Env> {
  const { config, baseUrl, shortBaseUrl, log } = parts;
  const app = new Hono<Env>();

  app.use(async (context, next) => {
    const start = performance.now();
    await next();
    context.header('Cache-Control', 'no-store');
    context.header('X-Content-Type-Options', 'nosniff');
    const ms = Math.round((performance.now() - start) * 10) / 10;
    const { method } = context.req;
    log('info', 'request', { method, route: context.var.route ?? null, status: context.res.status, ms });
  });
  app.use((_, next) => {
    if (parts.isStopping()) throw new Refusal('shutting_down', { headers: SHUTTING_DOWN });
    return next();
  });
  mountApi(app, {
    ...parts,
    forgetLink: links.forget,
    limits: config.limits,
    targets: { ownUrls: [baseUrl, shortBaseUrl], allowPrivate: config.allowPrivateTargets },
  });
  app.notFound(() => errorResponse(new Refusal('not_found')));
  app.onError((error, context) => {
    const known = error instanceof Refusal;
    if (!known) log('error', 'a request failed', { route: context.var.route ?? null, error });
    const response = errorResponse(known ? error : new Refusal('internal_error'));
    // A guard may have set headers that belong on a refusal too.
    for (const [name, value] of context.res.headers) if (/^ratelimit/i.test(name)) response.headers.set(name, value);
    return response;
  });
  return app;
}
