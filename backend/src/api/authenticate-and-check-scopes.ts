import { HEADER, type KeyScope } from '@terse/contract';
import type { HonoRequest } from 'hono';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import { hashKey, isWellFormedKey } from '../domain/accounts/api-keys.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiServices } from './endpoint.ts';

/**
 * Returns the API key that a request carries as a Bearer token or in the `X-API-Key` header. Also records that the
 * key was used.
 *
 * @throws ApiError `unauthorized` if the key is missing, unknown or revoked, or its account is disabled
 */
export async function authenticate(
  request: HonoRequest,
  { store, clock, lastUses }: Pick<ApiServices, 'store' | 'clock' | 'lastUses'>,
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
