import {
  BATCH_LIMIT,
  type BatchAnswer,
  BatchRequest,
  type BatchResult,
  CreateLinkRequest,
  HEADER,
  IDEMPOTENCY_KEY_PATTERN,
  type ShortenAnswer,
} from '@terse/contract';
import type { Context } from 'hono';
import { fingerprint, type Idempotency, linkFingerprint } from '../domain/limits/create-requests.ts';
import { domainNames, shortUrlOf } from '../domain/links/short-codes.ts';
import { linkJson, type NewLink } from '../domain/links/stored-link.ts';
import { ApiError, errorJson, errorResponse, orApiError } from '../http/api-error.ts';
import type { CreateOutcome, CreateRequest, CreateTransaction, JsonResponse } from '../store/sql/create-request.ts';
import { authenticate, failureLimitHeaders, limitHeaders, limitsOf, requireScope } from './key-and-limits.ts';
import { LINKS_PATH } from './operations.ts';
import { parseJson, parseNewLink, parseShortenRequest, readBody } from './request-body.ts';
import type { Env, Services } from './services.ts';

/**
 * `POST /api/shorten`: creates a short URL (API specification, section 4.1). Ignores all fields of the body except
 * `url`.
 */
export function shorten(context: Context<Env>, services: Services): Promise<Response> {
  return handleCreateRequest(context, services, (body) => {
    const link = parseShortenRequest(body, services);
    return async ({ insert }) => {
      const made = await insert(link);
      if (!made) return TAKEN;
      const shortUrl = shortUrlOf(made.code, services.shortBaseUrls);
      return json(200, { message: 'Your short link is ready.', shortUrl } satisfies ShortenAnswer);
    };
  });
}

/** `POST /api/v1/urls`: creates one link, with optional fields such as the short code and the title. */
export function createLink(context: Context<Env>, services: Services): Promise<Response> {
  const parse = (body: unknown) => {
    const link = parseNewLink(body, services);
    return (transaction: CreateTransaction) => insertOne(transaction, link, services);
  };
  return handleCreateRequest(context, services, parse, bodyFingerprint);
}

/** @param body body of a valid link */
function bodyFingerprint(body: unknown): Uint8Array {
  return linkFingerprint(CreateLinkRequest.parse(body));
}

async function insertOne({ insert }: CreateTransaction, link: NewLink, services: Services): Promise<JsonResponse> {
  const made = await insert(link);
  if (!made) return TAKEN;
  const { baseUrl, shortBaseUrls } = services;
  const shown = linkJson(made, services);
  const query = shown.domain === domainNames(shortBaseUrls)[0] ? '' : `?domain=${shown.domain}`;
  return { ...json(201, shown), location: `${baseUrl}${LINKS_PATH}/${shown.shortCode}${query}` };
}

/** `POST /api/v1/urls/batch`: creates several links with one request. Each link has its own result. */
export function createLinks(context: Context<Env>, services: Services): Promise<Response> {
  return handleCreateRequest(context, services, (body) => {
    const { data } = BatchRequest.safeParse(body);
    if (!data) {
      const message = `A batch is a JSON object with "urls", a list of 1 to ${BATCH_LIMIT} links.`;
      throw new ApiError('invalid_request', { message });
    }
    const items = data.urls.map((item) => orApiError(() => parseItem(item, services)));
    const hasChosenCodes = items.some((item) => !(item instanceof ApiError) && Array.isArray(item.link.codes));
    return async (transaction) => {
      const results: BatchResult[] = [];
      if (hasChosenCodes) await transaction.lockBatches();
      for (const [index, item] of items.entries()) {
        const isWrong = item instanceof ApiError;
        const { status, body } = isWrong ? errorJson(item) : await insertItem(transaction, item, services);
        const parsed = JSON.parse(body);
        results.push(status === 201 ? { index, status, link: parsed } : { index, status, ...parsed });
      }
      return json(207, { results } satisfies BatchAnswer);
    };
  });
}

/**
 * Parses one item of a batch: a link and its optional idempotency key. If the item fails, a client can retry it with
 * the same idempotency key through `POST /api/v1/urls`.
 */
function parseItem(body: unknown, services: Services) {
  const link = parseNewLink(body, services);
  const { idempotencyKey: key } = body as { idempotencyKey?: unknown };
  if (key === undefined || key === null) return { link, idempotency: null };
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(key)) throw new ApiError('invalid_idempotency_key');
  return { link, idempotency: { key, endpoint: LINKS_PATH, fingerprint: bodyFingerprint(body) } };
}

async function insertItem(
  transaction: CreateTransaction,
  { link, idempotency }: ReturnType<typeof parseItem>,
  services: Services,
): Promise<JsonResponse> {
  const respond = () => insertOne(transaction, link, services);
  const response = idempotency ? await transaction.once(idempotency, respond) : await respond();
  return response ?? errorJson(new ApiError('idempotency_key_reused'));
}

const TAKEN = errorJson(new ApiError('short_code_taken'));

function json(status: number, body: object): JsonResponse {
  return { status, body: JSON.stringify(body), location: null };
}

type Respond = CreateRequest['respond'];

/**
 * Handles a request to create links. The database applies the rate limits and creates the links in one transaction.
 *
 * Invalid requests also count against the rate limits. Their error responses are cached under the idempotency key.
 * Requests do not count if their API key lacks the required scope.
 *
 * @param parse validates the JSON body; throws an ApiError if the request as a whole is invalid
 * @param fingerprintOf returns a hash of a valid JSON body; by default, the bytes of the body are hashed
 */
async function handleCreateRequest(
  context: Context<Env>,
  services: Services,
  parse: (body: unknown) => Respond,
  fingerprintOf?: (body: unknown) => Uint8Array,
): Promise<Response> {
  const key = await authenticate(context.req, services);
  try {
    requireScope(key, 'create');
    const { idempotency, respond, headers } = await readRequest(context, parse, fingerprintOf);
    const outcome = await services.store.createRequests.submit({
      key,
      ...limitsOf(key, services),
      idempotency,
      respond,
    });
    if (outcome.kind === 'refused') context.set('limit', outcome.by);
    return toHttpResponse(outcome, { ...limitHeaders(outcome.limits), ...headers });
  } catch (error) {
    const headers = await failureLimitHeaders(error, key, services);
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    throw error;
  }
}

/** A request that was read. `headers` are added to the response if the request is invalid. */
type ReadRequest = Pick<CreateRequest, 'idempotency' | 'respond'> & { headers: Record<string, string> };

/**
 * Reads the idempotency key and the JSON body of a request. The error of an invalid request becomes its response, so
 * that the request counts against the rate limits.
 */
async function readRequest(
  context: Context<Env>,
  parse: (body: unknown) => Respond,
  fingerprintOf?: (body: unknown) => Uint8Array,
): Promise<ReadRequest> {
  const endpoint = context.var.route;
  const key = context.req.header(HEADER.idempotencyKey);
  let idempotency: Idempotency | null = null;
  try {
    if (key !== undefined && !IDEMPOTENCY_KEY_PATTERN.test(key)) throw new ApiError('invalid_idempotency_key');
    const bytes = await readBody(context.req);
    if (key !== undefined) idempotency = { key, endpoint, fingerprint: fingerprint(endpoint, bytes) };
    const body = parseJson(bytes);
    const respond = parse(body);
    if (idempotency && fingerprintOf) idempotency.fingerprint = fingerprintOf(body);
    return { idempotency, respond, headers: {} };
  } catch (error) {
    // If the connection was closed, no response can be sent.
    if (!(error instanceof ApiError) || error.code === 'request_timeout') throw error;
    return { idempotency, respond: async () => errorJson(error), headers: error.headers };
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
  const sent = new Headers({ 'Content-Type': 'application/json', ...headers });
  if (outcome.kind === 'replayed') sent.set(HEADER.idempotencyReplayed, 'true');
  if (location !== null) sent.set('Location', location);
  return new Response(body, { status, headers: sent });
}
