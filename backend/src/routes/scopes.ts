import type { KeyScope } from '@terse/contract';
import type { MiddlewareHandler } from 'hono';
import type { ApiKey } from '../store/store.ts';
import type { Env } from './endpoint.ts';
import { ApiError } from './errors.ts';

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
