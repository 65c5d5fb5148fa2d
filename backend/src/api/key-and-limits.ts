import { formatRateLimit, HEADER, type KeyScope } from '@terse/contract';
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { type ApiKey, hashKey, isWellFormedKey } from '../domain/accounts/api-keys.ts';
import { type LimitReport, limitsInForce, limitsLeft, UNSPENT, UNUSED } from '../domain/limits/create-requests.ts';
import { createReadLimit } from '../domain/limits/throttle.ts';
import { ApiError } from '../http/api-error.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';
import type { CreateRequest } from '../store/sql/create-request.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { Env, Services } from './services.ts';

/**
 * Returns the API key that a request carries as a Bearer token or in the `X-API-Key` header. Also records that the
 * key was used.
 *
 * @throws ApiError `unauthorized` if the key is missing, unknown or revoked, or its account is disabled
 */
export async function authenticate(
  request: HonoRequest,
  { store, clock, lastUses }: Pick<Services, 'store' | 'clock' | 'lastUses'>,
): Promise<ApiKey> {
  const text = readKey(request.header(HEADER.authorization), request.header(HEADER.apiKey));
  const key = isWellFormedKey(text) ? await store.keys.find(hashKey(text)) : null;
  if (!key) throw unauthorized('This API key does not exist on this service.', 'invalid_token');
  if (key.revokedAt !== null) throw unauthorized('This API key was revoked.', 'invalid_token');
  if (key.disabledAt !== null) throw unauthorized('The account of this API key is disabled.', 'invalid_token');
  lastUses.key(key, clock());
  return key;
}

function readKey(authorization: string | undefined, apiKey: string | undefined): string {
  const [, bearerToken] = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? [];
  const headerKey = apiKey?.trim() || undefined;
  if (bearerToken && headerKey && bearerToken !== headerKey) {
    throw unauthorized('This request contains two different API keys.');
  }
  const text = bearerToken ?? headerKey;
  if (!text) throw unauthorized('This request needs an API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".');
  return text;
}

/**
 * Creates a 401 error with a `WWW-Authenticate` header (RFC 6750, section 3).
 *
 * @param error value of the `error` attribute in the header. RFC 6750 advises against this attribute if the request
 * contains no API key.
 */
function unauthorized(message: string, error?: string): ApiError {
  const challenge = `Bearer realm="terse"${error ? `, error="${error}"` : ''}`;
  return new ApiError('unauthorized', { message, headers: { 'WWW-Authenticate': challenge } });
}

/** @throws ApiError `forbidden` if the API key lacks the scope (RFC 6750, section 3.1) */
export function requireScope({ scopes }: Pick<ApiKey, 'scopes'>, scope: KeyScope): void {
  if (scopes.includes(scope)) return;
  throw new ApiError('forbidden', {
    message: `This API key does not have the scope "${scope}", which this request needs.`,
    headers: { 'WWW-Authenticate': `Bearer realm="terse", error="insufficient_scope", scope="${scope}"` },
  });
}

/**
 * Returns middleware for all requests except those that create links. It identifies the API key, limits how often the
 * key can read, search, edit and delete links, and requires a scope.
 */
export function readAccess(services: Services): (scope: KeyScope | null) => MiddlewareHandler<Env> {
  const drawRead = createReadLimit(services.clock);
  return (scope) => async (context, next) => {
    const key = await authenticate(context.req, services);
    context.set('key', key);
    const { search, tag } = context.req.query();
    const draw = drawRead(key.id, Boolean(search?.trim() || tag?.trim()));
    const { policy, state } = formatRateLimit({ reads: draw.report });
    context.header(HEADER.rateLimitPolicy, policy);
    context.header(HEADER.rateLimit, state);
    if (!draw.allowed) {
      context.set('limit', 'reads');
      throw new ApiError('throttled', { headers: { [HEADER.retryAfter]: String(draw.retryAfter) } });
    }
    if (scope !== null) requireScope(key, scope);
    await next();
  };
}

/**
 * Returns the limits of an API key on creating links. A key without its own limits has the default limits of the
 * service. Only the keys of the service's owner can exceed the defaults, and only the owner's account has no quota.
 */
export function limitsOf(
  key: ApiKey,
  services: Pick<Services, 'limits' | 'accountLimits'>,
): Pick<CreateRequest, 'limits' | 'accountQuota'> {
  const isOwner = key.accountId === FIRST_ACCOUNT;
  return {
    limits: limitsInForce(key, services.limits, isOwner),
    accountQuota: isOwner ? null : services.accountLimits.links,
  };
}

/**
 * Returns the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), which describe the
 * limits per second and per day.
 */
export function limitHeaders({ throttle, quota }: LimitReport): Record<string, string> {
  const { policy, state } = formatRateLimit({ throttle, quota });
  return { [HEADER.rateLimitPolicy]: policy, [HEADER.rateLimit]: state };
}

/**
 * Returns the rate limit headers for a failed request to create links. If the database is unavailable, the number of
 * remaining requests is unknown, so the `RateLimit` header is omitted.
 */
export async function failureLimitHeaders(
  error: unknown,
  key: ApiKey,
  { store, ...services }: Services,
): Promise<Record<string, string>> {
  const of = limitsOf(key, services);
  const left = error instanceof StoreUnavailable ? null : await store.createRequests.left(key, of).catch(() => null);
  if (left) return limitHeaders(left);
  const { [HEADER.rateLimitPolicy]: policy = '' } = limitHeaders(limitsLeft(of, { key: UNUSED, account: UNSPENT }, 0));
  return { [HEADER.rateLimitPolicy]: policy };
}
