import { FEATURE, type KeyDocument, REFUSED_TARGET, type ServiceDocument } from '@terse/contract';
import type { Context, Hono } from 'hono';
import { hostOf, newCodesFormat } from '../domain/links/short-codes.ts';
import { ApiError } from '../http/api-error.ts';
import { createLink, createLinks, shorten } from './create-links.ts';
import { limitsOf, readAccess } from './key-and-limits.ts';
import { deleteLink, editLink, listLinks, readAnalytics, readLink } from './links.ts';
import { openApiDocument } from './openapi/document.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import type { Env, Services } from './services.ts';

type OperationId = keyof typeof OPERATIONS;
type Handler = (context: Context<Env>, services: Services) => Response | Promise<Response>;

/** Adds the routes of all operations, and 405 responses for other methods. */
export function mountApi(app: Hono<Env>, services: Services): void {
  const handlers: Record<OperationId, Handler> = {
    readHealth: (context) => context.json({ status: 'ok' }),
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

/** `GET /api`: describes the service, including its version and settings. */
function readService(context: Context<Env>, services: Services): Response {
  const { shortBaseUrls, foldsCase, targets, version } = services;
  const { own, private: privateHosts } = REFUSED_TARGET;
  return context.json({
    name: 'Terse',
    version,
    shortBaseUrl: shortBaseUrls[0],
    domains: shortBaseUrls.map((shortBaseUrl) => ({ name: hostOf(shortBaseUrl), shortBaseUrl })),
    features: Object.values(FEATURE),
    codes: newCodesFormat(foldsCase),
    refusedTargets: targets.allowPrivate ? [own] : [own, privateHosts],
    maxUrlBytes: targets.maxUrlBytes,
  } satisfies ServiceDocument);
}

/** Reserved word that can never be a short code. A lookup of this word tests the database with a single read. */
const RESERVED_CODE = 'readyz';

/**
 * `GET /readyz`: succeeds if the database responds. Fails while the service is shutting down, so that proxies stop
 * sending requests.
 */
async function readReadiness(context: Context<Env>, { store }: Services): Promise<Response> {
  await store.links.resolve(RESERVED_CODE).catch(() => {
    throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
  });
  return context.json({ status: 'ok' });
}

/** `GET /api/v1/key`: describes the API key of the request, and what is left of its limits. */
async function readKey(context: Context<Env>, services: Services): Promise<Response> {
  const { key } = context.var;
  const document: KeyDocument = {
    name: key.name,
    lastFour: key.lastFour,
    createdAt: new Date(key.createdAt).toISOString(),
    ...(await services.store.createRequests.left(key, limitsOf(key, services))),
    scopes: [...key.scopes],
    ownLinksOnly: key.ownLinksOnly,
  };
  return context.json(document);
}
