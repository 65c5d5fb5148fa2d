import { HEADER, type Link } from '@terse/contract';
import type { Context } from 'hono';
import { quotasOf } from '../domain/limits/account-quotas.ts';
import { fingerprint, isIdempotencyKey } from '../domain/limits/idempotency-key.ts';
import { linkJson } from '../domain/links/link-json.ts';
import { ApiError, errorJson, errorResponse, orApiError } from '../http/api-error.ts';
import type {
  CreateItem,
  CreateOutcome,
  CreateRequest,
  ItemResult,
  JsonResponse,
} from '../store/interface/create-request-store.ts';
import { FIRST_ACCOUNT } from '../store/interface/store.ts';
import { authenticate, requireScope } from './authenticate-and-check-scopes.ts';
import { type ApiServices, type Endpoint, type Env, limitsOf } from './endpoint.ts';
import { parseJson, RequestAborted, readBody } from './json-body.ts';
import type { Operation } from './openapi/describe-endpoint.ts';
import { failureLimitHeaders, limitHeaders } from './rate-limits.ts';

/**
 * Defines an endpoint that creates links. All of these endpoints share one pipeline and differ only in their path,
 * documentation and JSON format.
 */
export interface CreateDefinition {
  path: string;
  doc: Operation;
  /**
   * Returns a fingerprint of the parsed JSON body. Requests with the same idempotency key must have the same
   * fingerprint. If this function is absent, the fingerprint is computed from the raw bytes of the body.
   */
  fingerprint?(body: unknown): Uint8Array;
  /**
   * Returns the links to create, and how to respond.
   *
   * @throws ApiError if the request as a whole is invalid
   */
  toItems(body: unknown, services: ApiServices): RequestedItems;
}

export type RequestedItems = Pick<CreateRequest, 'items' | 'respond'>;

/** Returns the items of a request that creates a single link. The response to the link is the whole response. */
export function singleItem(item: Omit<CreateItem, 'idempotency'>): RequestedItems {
  return { items: [{ ...item, idempotency: null }], respond: ([response]) => response as JsonResponse };
}

/** Returns a function that responds with a created link, or with the error if it was not created. */
export function respondWith(toResponse: (link: Link) => JsonResponse, services: ApiServices): CreateItem['respond'] {
  return (result: ItemResult) => {
    if (result === 'taken') return errorJson(new ApiError('short_code_taken'));
    if (result === 'reused') return errorJson(new ApiError('idempotency_key_reused'));
    return toResponse(linkJson(result, services));
  };
}

export function createEndpoint(definition: CreateDefinition, services: ApiServices): Endpoint {
  return {
    method: 'POST',
    path: definition.path,
    access: 'create',
    scope: 'create',
    doc: definition.doc,
    handle: (context) => handleCreateRequest(context, definition, services),
  };
}

/**
 * Handles a request to create links. The database applies the rate limits and creates the links in one transaction.
 *
 * Invalid requests also count against the rate limits. Their error responses are cached under the idempotency key.
 * Requests do not count if their API key lacks the required scope.
 */
async function handleCreateRequest(
  context: Context<Env>,
  definition: CreateDefinition,
  services: ApiServices,
): Promise<Response> {
  const { store, accountLimits } = services;
  const key = await authenticate(context.req, services);
  const limits = limitsOf(key, services.limits);
  const accountQuota = quotasOf(key.accountId === FIRST_ACCOUNT, accountLimits).links;
  try {
    requireScope(key, 'create');
    const { idempotency, body } = await readRequest(context, definition);
    const requested = body instanceof ApiError ? body : orApiError(() => definition.toItems(body.json, services));
    const isInvalid = requested instanceof ApiError;
    const items = isInvalid ? { items: [], respond: () => errorJson(requested) } : requested;
    const outcome = await store.createRequests.submit({ key, limits, accountQuota, idempotency, ...items });
    if (outcome.kind === 'refused') context.set('limit', outcome.by);
    const errorHeaders = isInvalid ? requested.headers : {};
    return toHttpResponse(outcome, { ...limitHeaders(outcome.limits), ...errorHeaders });
  } catch (error) {
    const readLimits = () => store.createRequests.left(key, { limits, accountQuota });
    for (const [name, value] of await failureLimitHeaders(error, limits, readLimits)) context.header(name, value);
    throw error;
  }
}

interface ReadRequest {
  /** Idempotency key of the request. Null if the request has no valid key or if its body could not be read. */
  idempotency: CreateRequest['idempotency'];
  /** The parsed body, or the error that is sent to the client. */
  body: { json: unknown } | ApiError;
}

/**
 * Reads the idempotency key and the JSON body of a request. Returns client errors instead of throwing them, so that
 * the caller can count invalid requests against the rate limits.
 */
async function readRequest(context: Context<Env>, definition: CreateDefinition): Promise<ReadRequest> {
  const { path } = definition;
  const key = context.req.header(HEADER.idempotencyKey);
  if (key !== undefined && !isIdempotencyKey(key)) {
    return { idempotency: null, body: new ApiError('invalid_idempotency_key') };
  }
  try {
    const bytes = await readBody(context.req);
    const body = orApiError(() => ({ json: parseJson(bytes) }));
    if (key === undefined) return { idempotency: null, body };
    const ofJson = definition.fingerprint && !(body instanceof ApiError) ? definition.fingerprint(body.json) : null;
    return { idempotency: { key, endpoint: path, fingerprint: ofJson ?? fingerprint(path, bytes) }, body };
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof RequestAborted) throw error;
    return { idempotency: null, body: error };
  }
}

function toHttpResponse(outcome: CreateOutcome, headers: Record<string, string>): Response {
  if (outcome.kind === 'reused') return errorResponse(new ApiError('idempotency_key_reused', { headers }));
  if (outcome.kind === 'refused') {
    const retryAfter = String(outcome.limits[outcome.by].resetSeconds);
    const code = outcome.by === 'quota' ? 'quota_exceeded' : 'throttled';
    return errorResponse(new ApiError(code, { headers: { ...headers, [HEADER.retryAfter]: retryAfter } }));
  }
  const { status, body, location } = outcome.response;
  const replayed: Record<string, string> = outcome.kind === 'replayed' ? { [HEADER.idempotencyReplayed]: 'true' } : {};
  const target: Record<string, string> = location === null ? {} : { Location: location };
  return new Response(body, {
    status,
    headers: { 'Content-Type': 'application/json', ...headers, ...replayed, ...target },
  });
}
