import { FEATURE, type KeyDocument, REFUSED_TARGET, type ServiceDocument } from '@terse/contract';
import type { Context } from 'hono';
import { hostOf, newCodesFormat } from '../domain/links/short-codes.ts';
import { ApiError } from '../http/api-error.ts';
import { limitsOf } from './key-and-limits.ts';
import type { Env, Services } from './services.ts';

/** `GET /api`: describes the service, including its version and settings. */
export function readService(context: Context<Env>, services: Services): Response {
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

/** `GET /healthz`: succeeds if the process responds. */
export function readHealth(context: Context<Env>): Response {
  return context.json({ status: 'ok' });
}

/** Reserved word that can never be a short code. A lookup of this word tests the database with a single read. */
const RESERVED_CODE = 'readyz';

/**
 * `GET /readyz`: succeeds if the database responds. Fails while the service is shutting down, so that proxies stop
 * sending requests.
 */
export async function readReadiness(context: Context<Env>, { store }: Services): Promise<Response> {
  await store.links.resolve(RESERVED_CODE).catch(() => {
    throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
  });
  return context.json({ status: 'ok' });
}

/** `GET /api/v1/key`: describes the API key of the request, and what is left of its limits. */
export async function readKey(context: Context<Env>, services: Services): Promise<Response> {
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
