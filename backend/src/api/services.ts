import type { HttpBindings } from '@hono/node-server';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { AccountLimits, KeyLimits } from '../domain/limits/key-limits.ts';
import type { TargetRules } from '../domain/links/link-rules.ts';
import type { ShortBaseUrls } from '../domain/links/short-codes.ts';
import type { Store } from '../store/open-store.ts';

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
