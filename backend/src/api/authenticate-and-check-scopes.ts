import { HEADER, type KeyScope } from '@terse/contract';
import type { MiddlewareHandler } from 'hono';
import { hashKey, isWellFormedKey } from '../domain/accounts/api-keys.ts';
import type { ApiKey } from '../domain/accounts/stored-key.ts';
import { ApiError } from '../http/api-error.ts';
import type { Env, Services } from './endpoint.ts';

/** Lets a request through that bears a valid key, as a Bearer token or in `X-API-Key`, and remembers the key. */
export function authenticate({ store, clock, lastUses }: Services): MiddlewareHandler<Env> {
  return async (context, next) => {
    const text = presentedKey(context.req.header(HEADER.authorization), context.req.header(HEADER.apiKey));
    const key = isWellFormedKey(text) ? await store.keys.find(hashKey(text)) : null;
    if (!key) throw unauthorized('This API key is not known here.', 'invalid_token');
    if (key.revokedAt !== null) throw unauthorized('This API key was revoked.', 'invalid_token');
    if (key.disabledAt !== null) throw unauthorized("This API key's account was disabled.", 'invalid_token');
    context.set('key', key);
    lastUses.key(key, clock());
    await next();
  };
}

function presentedKey(authorization: string | undefined, apiKey: string | undefined): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? [];
  const other = apiKey?.trim() || undefined;
  if (token && other && token !== other) throw unauthorized('This request bears two different API keys.');
  const text = token ?? other;
  if (!text) throw unauthorized('This request needs an API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".');
  return text;
}

/** The error with its challenge (RFC 6750, section 3), which names no error code to a request without a key. */
function unauthorized(sentence: string, error?: string): ApiError {
  const challenge = `Bearer realm="terse"${error ? `, error="${error}"` : ''}`;
  return new ApiError('unauthorized', { sentence, headers: { 'WWW-Authenticate': challenge } });
}

/** Lets a request through whose key has a scope. */
export function requireScope(scope: KeyScope): MiddlewareHandler<Env> {
  return async (context, next) => {
    checkScope(context.var.key, scope);
    await next();
  };
}

/** @throws ApiError `forbidden`, with the challenge of RFC 6750, section 3.1 */
export function checkScope({ scopes }: Pick<ApiKey, 'scopes'>, scope: KeyScope): void {
  if (scopes.includes(scope)) return;
  throw new ApiError('forbidden', {
    sentence: `This API key has not the scope "${scope}", which this request needs.`,
    headers: { 'WWW-Authenticate': `Bearer realm="terse", error="insufficient_scope", scope="${scope}"` },
  });
}
