import type { Hono, MiddlewareHandler } from 'hono';
import { ApiError } from '../http/api-error.ts';
import { authenticate, requireScope } from './authenticate-and-check-scopes.ts';
import type { Endpoint, Env, Services } from './endpoint.ts';
import { batchEndpoint } from './endpoints/create-batch.ts';
import { createLinkEndpoint } from './endpoints/create-link.ts';
import { keyEndpoint } from './endpoints/current-key.ts';
import { editLinkEndpoint, readLinkEndpoint, removeLinkEndpoint } from './endpoints/get-edit-delete-link.ts';
import { analyticsEndpoint } from './endpoints/link-analytics.ts';
import { listLinksEndpoint } from './endpoints/list-links.ts';
import { healthEndpoint, readinessEndpoint, serviceEndpoint } from './endpoints/service-document-and-health.ts';
import { shortenEndpoint } from './endpoints/shorten.ts';
import { openApiEndpoint } from './openapi/document.ts';
import { throttleReads } from './rate-limits.ts';

/**
 * Everything the API answers. Methods, 405 answers, keys, limits and log lines all follow from this list. Of two paths
 * that could match one request, the first here takes it.
 */
export function endpoints(services: Services): Endpoint[] {
  const described = [
    healthEndpoint(),
    readinessEndpoint(services),
    serviceEndpoint(services),
    shortenEndpoint(services),
    createLinkEndpoint(services),
    listLinksEndpoint(services),
    batchEndpoint(services),
    readLinkEndpoint(services),
    editLinkEndpoint(services),
    removeLinkEndpoint(services),
    analyticsEndpoint(services),
    keyEndpoint(services),
  ];
  return [...described, openApiEndpoint(services, described)];
}

/** Mounts every endpoint, and answers other methods of its path with 405. */
export function mountApi(app: Hono<Env>, services: Services): void {
  const key = authenticate(services);
  const guards: Record<Endpoint['access'], MiddlewareHandler<Env>[]> = {
    open: [],
    read: [key, throttleReads(services)],
    create: [key],
  };
  for (const [path, methods] of Map.groupBy(endpoints(services), (endpoint) => endpoint.path)) {
    app.use(path, (context, next) => {
      context.set('route', path);
      return next();
    });
    for (const { method, access, scope, handle } of methods) {
      // Creating endpoints check the scope themselves, since their refusal reports the key's limits.
      const allowed = scope === null || access === 'create' ? [] : [requireScope(scope)];
      app.on(method, [path], ...guards[access], ...allowed, handle);
    }
    const allow = methods.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, () => {
      throw new ApiError('method_not_allowed', { headers: { Allow: allow } });
    });
  }
}
