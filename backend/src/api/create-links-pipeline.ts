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

/** An endpoint that creates links. The pipeline does the rest of the work. */
export interface CreateDefinition {
  path: string;
  doc: Operation;
  /** Returns the fingerprint of a JSON body. Without it, two requests with an idempotency key must be equal in every byte. */
  fingerprint?(body: unknown): Uint8Array;
  /** @throws ApiError if the whole request is invalid */
  toLinks(body: unknown, services: ApiServices): RequestedLinks;
  /** @throws ApiError if the request fails as a whole */
  toResponse(created: CreatedLinks): Answer;
}

/** The valid links of a request. */
export interface RequestedLinks {
  links: NewLink[];
  /** For a batch, the error of each item, or null for a valid item. Null for an endpoint that creates a single link. */
  itemErrors: (StoredError | null)[] | null;
}

/** The result of a request, from which its response is made. A replayed request has the result of the first one. */
export interface CreatedLinks extends Pick<RequestedLinks, 'itemErrors'> {
  /** One entry per requested link: the link, null if its short code is taken, or `reused` for its idempotency key. */
  made: CreateResult['made'];
  addresses: Addresses;
}

/** The addresses of the service when the links were created. A replayed response repeats them. */
type Addresses = Pick<ApiServices, 'baseUrl' | 'shortBaseUrl'>;

/** Returns the endpoint of a definition. */
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
 * Executes a request to create links: authenticates, checks the scope, parses, submits and responds. The store charges
 * the limits and creates the links in one transaction. An invalid request is charged too, and its error is cached for
 * its idempotency key. A request without the scope is not charged.
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
  /** Null if the request has no idempotency key, or if its body cannot be read. */
  idempotency: CreateRequest['idempotency'];
  /** The parsed body, or the error that refuses the request. */
  body: { json: unknown } | ApiError;
}

/** Reads the idempotency key and the JSON body. Returns errors of the client, since such a request is charged too. */
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
  const answer = 'status' in result ? result : toAnswer(result, definition);
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

/** An error as JSON. */
export interface StoredError {
  code: ErrorCode;
  /** The message. The name is older than the word. */
  sentence: string;
}

export const toStoredError = ({ code, message }: ApiError): StoredError => ({ code, sentence: message });

export const fromStoredError = ({ code, sentence }: StoredError): ApiError => new ApiError(code, { message: sentence });

/** The JSON that the store keeps with the created links. With them, it is everything that a response is made from. */
type Draft = { addresses: Addresses; draft: RequestedLinks['itemErrors'] } | { error: StoredError };

/** @param itemErrors an ApiError if the whole request was refused */
export function serializeDraft(
  itemErrors: RequestedLinks['itemErrors'] | ApiError,
  { baseUrl, shortBaseUrl }: Addresses,
): string {
  const draft: Draft =
    itemErrors instanceof ApiError
      ? { error: toStoredError(itemErrors) }
      : { addresses: { baseUrl, shortBaseUrl }, draft: itemErrors };
  return JSON.stringify(draft);
}

function parseDraft(text: string): Pick<CreatedLinks, 'itemErrors' | 'addresses'> | ApiError {
  const draft = JSON.parse(text) as Draft;
  return 'error' in draft ? fromStoredError(draft.error) : { addresses: draft.addresses, itemErrors: draft.draft };
}
