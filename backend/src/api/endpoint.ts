import type { HttpBindings } from '@hono/node-server';
import type { KeyScope } from '@terse/contract';
import type { Context } from 'hono';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { AccountLimits } from '../domain/limits/account-quotas.ts';
import { type KeyLimits, limitsInForce } from '../domain/limits/key-limits.ts';
import type { ShortBaseUrls } from '../domain/links/short-domains.ts';
import type { TargetRules } from '../domain/links/validate-target.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';
import type { Store } from '../store/sql/store.ts';
import type { Operation } from './openapi/describe-endpoint.ts';

export interface ApiServices {
  store: Store;
  clock: Clock;
  random: Random;
  /** Default rate limits of API keys. A key can have its own limits. */
  limits: KeyLimits;
  /** Daily quotas of accounts. The owner of the service has no daily quota. */
  accountLimits: AccountLimits;
  targets: TargetRules;
  /**
   * Default for links that have no `forwardQuery` setting. If true, their redirects forward the visitor's query
   * parameters.
   */
  forwardQuery: boolean;
  /** Public origin of the API, without a trailing slash. */
  baseUrl: string;
  shortBaseUrls: ShortBaseUrls;
  /** True if the service has several domains, or has links of a domain that was removed from the settings. */
  hasOtherDomains: boolean;
  /** True if short codes are not case-sensitive. */
  foldsCase: boolean;
  /** Records when an API key was last used, without delaying the request. */
  lastUses: { key(key: ApiKey, now: number): void };
  /** Removes a link from the cache after the link was edited or deleted. */
  forgetLink(code: string): void;
  version: string;
}

/**
 * Values that Hono stores for each request. `route` is the endpoint's path. `limit` is the name of the rate limit
 * that rejected the request. Both are written to the log.
 */
export type Env = { Bindings: HttpBindings; Variables: { route: string; key: ApiKey; limit: string } };

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path in Hono's syntax, such as `/api/v1/urls/:shortCode`. */
  path: string;
  /**
   * `open`: no API key is needed. `read`: requests with an API key are limited per second. `create`: requests with an
   * API key are limited per second and per day.
   */
  access: 'open' | 'read' | 'create';
  /** Scope that the API key must have. Null if the endpoint accepts any API key or requires none. */
  scope: KeyScope | null;
  /** Documentation of the endpoint. Null if the endpoint is not part of the OpenAPI document. */
  doc: Operation | null;
  handle(context: Context<Env>): Response | Promise<Response>;
}

/**
 * Returns the rate limits of an API key. A key without its own limits has the default limits of the service. Only the
 * service owner's keys can exceed the defaults.
 */
export function limitsOf(key: ApiKey, standard: KeyLimits): KeyLimits {
  return limitsInForce(key, standard, key.accountId === FIRST_ACCOUNT);
}
