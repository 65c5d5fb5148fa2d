import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { AccountLimits, KeyLimits } from '../domain/limits/key-limits.ts';
import type { TargetRules } from '../domain/links/link-rules.ts';
import type { ShortBaseUrls } from '../domain/links/short-codes.ts';
import type { TrustedProxies } from '../http/client-address.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/open-store.ts';
import type { Session } from '../store/sql/session-queries.ts';

/** Values that Hono stores for each request. The log contains `route`, which is the path pattern of the page. */
export type PageEnv = { Bindings: HttpBindings; Variables: { route: string; session: Session } };

export type PageContext = Context<PageEnv>;

/** Hono app to which each file of the dashboard adds its pages. Pages need a session unless `routes.ts` says otherwise. */
export type Pages = Hono<PageEnv>;

export interface Services {
  trustedProxies: TrustedProxies;
  /**
   * Lowercase name of the header in which a trusted proxy sends the name of the user. Null if users can sign in only
   * on this server.
   */
  authProxyHeader: string | null;
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** Limits of API keys that have no individual limits. */
  limits: KeyLimits;
  /** Daily quotas of all accounts except the owner's, which has no quota. */
  accountLimits: AccountLimits;
  targets: TargetRules;
  /** Default for links that have no `forwardQuery` setting. If true, the visitor's query parameters are forwarded. */
  forwardQuery: boolean;
  baseUrl: string;
  shortBaseUrls: ShortBaseUrls;
  /** True if short codes are not case-sensitive. */
  foldsCase: boolean;
  /** Records when a session was last used. Writes to the database in the background. */
  lastUses: { session(session: Session, now: number): void };
  /** Called after a link was changed or deleted, so that the change affects redirects immediately. */
  onLinkChanged(code: string): void;
  /** Delays the shutdown of the server until the given work is done. */
  holdStop(work: Promise<void>): void;
  stopping: AbortSignal;
}
