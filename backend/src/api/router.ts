import type { Hono, MiddlewareHandler } from 'hono';
import { ApiError } from '../http/api-error.ts';
import { authenticate, requireScope } from './authenticate-and-check-scopes.ts';
import type { ApiServices, Endpoint, Env } from './endpoint.ts';
import { createBatchEndpoint, createLinkEndpoint, shortenEndpoint } from './endpoints/create-endpoints.ts';
import { keyEndpoint } from './endpoints/current-key.ts';
import { deleteLinkEndpoint, editLinkEndpoint, getLinkEndpoint } from './endpoints/get-edit-delete-link.ts';
import { analyticsEndpoint } from './endpoints/link-analytics.ts';
import { listLinksEndpoint } from './endpoints/list-links.ts';
import { healthEndpoint, readinessEndpoint, serviceEndpoint } from './endpoints/service-document-and-health.ts';
import { openApiEndpoint } from './openapi/document.ts';
import { throttleReads } from './rate-limits.ts';

/**
 * Returns all endpoints of the API. Routes, authentication, rate limits, 405 responses and the OpenAPI document are
 * generated from this list. If the paths of two endpoints match a request, the earlier endpoint handles it.
 */
export function endpoints(services: ApiServices): Endpoint[] {
  const described = [
    healthEndpoint(),
    readinessEndpoint(services),
    serviceEndpoint(services),
    shortenEndpoint(services),
    createLinkEndpoint(services),
    listLinksEndpoint(services),
    createBatchEndpoint(services),
    getLinkEndpoint(services),
    editLinkEndpoint(services),
    deleteLinkEndpoint(services),
    analyticsEndpoint(services),
    keyEndpoint(services),
  ];
  return [...described, openApiEndpoint(services, described)];
}

export function mountApi(app: Hono<Env>, services: ApiServices): void {
  const throttle = throttleReads(services);
  for (const [path, methods] of Map.groupBy(endpoints(services), (endpoint) => endpoint.path)) {
    app.use(path, (context, next) => {
      context.set('route', path);
      return next();
    });
    for (const { method, access, scope, handle } of methods) {
      // Endpoints that create links authenticate the request themselves, because their error responses must contain
      // the rate limits of the API key.
      const guards = access === 'read' ? [identifyKey(services), throttle, checkScope(scope)] : [];
      app.on(method, [path], ...guards, handle);
    }
    const allow = methods.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, () => {
      throw new ApiError('method_not_allowed', { headers: { Allow: allow } });
    });
  }
}

function identifyKey(services: ApiServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    context.set('key', await authenticate(context.req, services));
    await next();
  };
}

function checkScope(scope: Endpoint['scope']): MiddlewareHandler<Env> {
  return async (context, next) => {
    if (scope !== null) requireScope(context.var.key, scope);
    await next();
  };
}
