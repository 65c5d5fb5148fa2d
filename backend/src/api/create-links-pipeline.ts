import { type ErrorCode, HEADER } from '@terse/contract';
import type { Context } from 'hono';
import { quotasOf } from '../domain/limits/account-quotas.ts';
import { fingerprint, isIdempotencyKey } from '../domain/limits/idempotency-key.ts';
import type { NewLink } from '../domain/links/stored-link.ts';
import { type Answer, ApiError, errorAnswer, errorResponse, orApiError } from '../http/api-error.ts';
import type { CreateOutcome, CreateRequest, CreateResult } from '../store/interface/create-request-store.ts';
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
   * Returns the links to create. Errors that affect only one item of a batch are returned in `itemErrors`.
   *
   * @throws ApiError if the request as a whole is invalid
   */
  toLinks(body: unknown, services: ApiServices): RequestedLinks;
  /** @throws ApiError if the request could not create any link */
  toResponse(created: CreatedLinks): Answer;
}

export interface RequestedLinks {
  links: NewLink[];
  /**
   * One entry per item of a batch: the error of the item, or null if the item is valid. The list itself is null if
   * the endpoint creates a single link.
   */
  itemErrors: (StoredError | null)[] | null;
}

/**
 * Result of a request to create links. If a client repeats the request with the same idempotency key, the service
 * sends this result again.
 */
export interface CreatedLinks extends Pick<RequestedLinks, 'itemErrors'> {
  /**
   * One entry per requested link: the created link, null if the short code is taken, or `reused` if the idempotency
   * key was already used for another link.
   */
  made: CreateResult['made'];
  settings: Settings;
}

/**
 * Settings of the service at the time when the links were created. If a client repeats the request, the response uses
 * these settings, even if they have changed since.
 */
type Settings = Pick<ApiServices, 'baseUrl' | 'shortBaseUrls' | 'forwardQuery'>;

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
    const requested = body instanceof ApiError ? body : orApiError(() => definition.toLinks(body.json, services));
    const outcome = await store.createRequests.submit({
      key,
      limits,
      accountQuota,
      idempotency,
      links: requested instanceof ApiError ? [] : requested.links,
      draft: serializeDraft(requested instanceof ApiError ? requested : requested.itemErrors, services),
    });
    if (outcome.kind === 'refused') context.set('limit', outcome.by);
    const errorHeaders = requested instanceof ApiError ? requested.headers : {};
    return toHttpResponse(outcome, definition, { ...limitHeaders(outcome.limits), ...errorHeaders });
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

function toHttpResponse(
  outcome: CreateOutcome,
  definition: CreateDefinition,
  headers: Record<string, string>,
): Response {
  if (outcome.kind === 'reused') return errorResponse(new ApiError('idempotency_key_reused', { headers }));
  if (outcome.kind === 'refused') {
    const retryAfter = String(outcome.limits[outcome.by].resetSeconds);
    const code = outcome.by === 'quota' ? 'quota_exceeded' : 'throttled';
    return errorResponse(new ApiError(code, { headers: { ...headers, [HEADER.retryAfter]: retryAfter } }));
  }
  const { result } = outcome;
  const answer = toAnswer(result, definition);
  const replayed: Record<string, string> = outcome.kind === 'replayed' ? { [HEADER.idempotencyReplayed]: 'true' } : {};
  const location: Record<string, string> = answer.location === null ? {} : { Location: answer.location };
  return new Response(answer.body, {
    status: answer.status,
    headers: { 'Content-Type': 'application/json', ...headers, ...replayed, ...location },
  });
}

function toAnswer({ draft, made }: CreateResult, definition: CreateDefinition): Answer {
  const parsed = parseDraft(draft);
  const answer = parsed instanceof ApiError ? parsed : orApiError(() => definition.toResponse({ ...parsed, made }));
  return answer instanceof ApiError ? errorAnswer(answer) : answer;
}

export interface StoredError {
  code: ErrorCode;
  /**
   * Error message. The field cannot be renamed, because errors that are already stored in databases have this field.
   */
  sentence: string;
}

export const toStoredError = ({ code, message }: ApiError): StoredError => ({ code, sentence: message });

export const fromStoredError = ({ code, sentence }: StoredError): ApiError => new ApiError(code, { message: sentence });

/**
 * Settings as stored in the database. The fields cannot be renamed, because existing databases contain these names.
 * `shortBaseUrls` is missing if the service had only one domain. `forwardQuery` is missing in data from version 0.2.
 */
type StoredSettings = Pick<Settings, 'baseUrl'> & { shortBaseUrl: string } & Partial<Settings>;

/** Data that is stored as JSON with the created links. The response can be rebuilt from this data and the links. */
type Draft = { addresses: StoredSettings; draft: RequestedLinks['itemErrors'] } | { error: StoredError };

export function serializeDraft(
  itemErrors: RequestedLinks['itemErrors'] | ApiError,
  { baseUrl, shortBaseUrls, forwardQuery }: Settings,
): string {
  const [shortBaseUrl] = shortBaseUrls;
  const addresses = { baseUrl, shortBaseUrl, forwardQuery, ...(shortBaseUrls.length > 1 && { shortBaseUrls }) };
  const draft: Draft =
    itemErrors instanceof ApiError ? { error: toStoredError(itemErrors) } : { addresses, draft: itemErrors };
  return JSON.stringify(draft);
}

function parseDraft(text: string): Pick<CreatedLinks, 'itemErrors' | 'settings'> | ApiError {
  const draft = JSON.parse(text) as Draft;
  if ('error' in draft) return fromStoredError(draft.error);
  const { baseUrl, shortBaseUrl, shortBaseUrls = [shortBaseUrl], forwardQuery = false } = draft.addresses;
  return { settings: { baseUrl, shortBaseUrls, forwardQuery }, itemErrors: draft.draft };
}
