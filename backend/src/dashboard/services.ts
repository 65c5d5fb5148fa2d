import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { ApiServices } from '../api/services.ts';
import type { TrustedProxies } from '../http/client-address.ts';
import type { Log } from '../log/log.ts';
import type { Session } from '../store/sql/account-queries.ts';

/** Values that Hono stores for each request. The log contains `route`, which is the path pattern of the page. */
export type PageEnv = { Bindings: HttpBindings; Variables: { route: string; session: Session } };

export type PageContext = Context<PageEnv>;

/** Hono app to which each file of the dashboard adds its pages. Pages need a session unless `routes.ts` says otherwise. */
export type Pages = Hono<PageEnv>;

/** Services of the dashboard. Those that the API also needs are described there. */
export interface Services extends Omit<ApiServices, 'hasOtherDomains' | 'lastUses' | 'version'> {
  trustedProxies: TrustedProxies;
  /**
   * Lowercase name of the header in which a trusted proxy sends the name of the user. Null if users can sign in only
   * on this server.
   */
  authProxyHeader: string | null;
  log: Log;
  /** Records when a session was last used. Writes to the database in the background. */
  lastUses: { session(session: Session, now: number): void };
  /** Delays the shutdown of the server until the given work is done, which may be after the response. */
  holdStop(work: Promise<void>): void;
  stopping: AbortSignal;
}
