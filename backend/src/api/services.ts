import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Config } from '../config/environment.ts';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { TargetRules } from '../domain/links/link-rules.ts';
import type { ShortBaseUrls } from '../domain/links/short-codes.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/open-store.ts';
import type { Session } from '../store/sql/account-queries.ts';

/** Settings and services that the API and the dashboard need. The settings are described in `readConfig`. */
export interface Services
  extends Pick<
    Config,
    'limits' | 'accountLimits' | 'forwardQuery' | 'foldsCase' | 'trustedProxies' | 'authProxyHeader'
  > {
  store: Store;
  clock: Clock;
  random: Random;
  targets: TargetRules;
  /** Public origin of the API, without a trailing slash. */
  baseUrl: string;
  shortBaseUrls: ShortBaseUrls;
  /** True if the service has several domains, or has links of a domain that was removed from the settings. */
  hasOtherDomains: boolean;
  /** Records when an API key or a session was last used, without delaying the request. */
  lastUses: { key(key: ApiKey, now: number): void; session(session: Session, now: number): void };
  /** Removes a link from the cache after the link was edited or deleted. */
  forgetLink(code: string): void;
  version: string;
  log: Log;
  /** Delays the shutdown of the server until the given work is done, which may be after the response. */
  holdStop(work: Promise<void>): void;
  stopping: AbortSignal;
}

/**
 * Values that Hono stores for each request. `route` is the endpoint's path. `limit` is the name of the rate limit
 * that rejected the request. Both are written to the log.
 */
export type Env = { Bindings: HttpBindings; Variables: { route: string; key: ApiKey; limit: string } };

/** Values that Hono stores for each request of the dashboard. `route` is the path pattern of the page. */
export type PageEnv = { Bindings: HttpBindings; Variables: { route: string; session: Session } };

export type PageContext = Context<PageEnv>;

/** Hono app to which each file of the dashboard adds its pages. Pages need a session unless `routes.ts` says otherwise. */
export type Pages = Hono<PageEnv>;
