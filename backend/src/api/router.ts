import type { Context, Hono } from 'hono';
import { ApiError } from '../http/api-error.ts';
import { readAnalytics } from './analytics.ts';
import { createLink, createLinks, shorten } from './create-links.ts';
import { readAccess } from './key-and-limits.ts';
import { deleteLink, editLink, listLinks, readLink } from './links.ts';
import { openApiDocument } from './openapi/document.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { readHealth, readKey, readReadiness, readService } from './service.ts';
import type { Env, Services } from './services.ts';

type OperationId = keyof typeof OPERATIONS;
type Handler = (context: Context<Env>, services: Services) => Response | Promise<Response>;

/** Adds the routes of all operations, and 405 responses for other methods. */
export function mountApi(app: Hono<Env>, services: Services): void {
  const handlers: Record<OperationId, Handler> = {
    readHealth,
    readReadiness,
    readService,
    shorten,
    createLink,
    listLinks,
    createLinks,
    readLink,
    editLink,
    deleteLink,
    readAnalytics,
    readKey,
    describe: describer(services),
  };
  const access = readAccess(services);
  const operations = Object.entries(OPERATIONS) as [OperationId, Operation][];
  for (const [path, ofPath] of Map.groupBy(operations, ([, operation]) => operation.path)) {
    app.use(path, (context, next) => {
      context.set('route', path);
      return next();
    });
    for (const [id, { method, key }] of ofPath) {
      // Endpoints that create links authenticate the request themselves, because their error responses must contain
      // the rate limits of the API key.
      const guards = key === 'none' || key === 'create' ? [] : [access(key === 'any' ? null : key)];
      app.on(method, [path], ...guards, (context) => handlers[id](context, services));
    }
    const allow = ofPath.flatMap(([, { method }]) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, () => {
      throw new ApiError('method_not_allowed', { headers: { Allow: allow } });
    });
  }
}

/** Returns the handler of `GET /openapi.json`, which creates the document on the first request. */
function describer(services: Services): Handler {
  let document: string | null = null;
  return () => {
    document ??= JSON.stringify(openApiDocument(services));
    return new Response(document, { headers: { 'Content-Type': 'application/json' } });
  };
}
