import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { AccountLimits } from '../domain/limits/account-quotas.ts';
import type { KeyLimits } from '../domain/limits/key-limits.ts';
import type { ShortBaseUrls } from '../domain/links/short-domains.ts';
import type { TargetRules } from '../domain/links/target-url.ts';
import type { ProxySettings } from '../http/client-address.ts';
import type { Log } from '../log/json-log.ts';
import type { Session } from '../store/interface/account-store.ts';
import type { Store } from '../store/interface/store.ts';

/** Values attached to a request. The log contains the route, which is the path of the requested page. */
export type PageEnv = { Bindings: HttpBindings; Variables: { route: string; session: Session } };

export type PageContext = Context<PageEnv>;

/** Function that handles one HTTP method of one path. */
export interface Page {
  method: 'GET' | 'POST';
  /** Path in Hono's syntax, such as `/links/:code`. */
  path: string;
  /** Users who may open the page: anyone, a signed-in user, or only the server's owner. */
  access: 'anyone' | 'user' | 'owner';
  /**
   * Returns the path that opens after a signed-out user has signed in. Defaults to the path of a `GET` request, and for
   * other requests to the home page.
   */
  pathAfterSignIn?(context: PageContext): string | Promise<string>;
  /** True if the handler reads the request body and limits its size. All other handlers share one limit. */
  readsBody?: true;
  handle(context: PageContext): Response | Promise<Response>;
}

export interface Services extends ProxySettings {
  /** Lowercase name of the header in which a trusted proxy names the user. Null if users sign in only here. */
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
  /** True if links without a setting of their own forward the visitor's query. */
  forwardQuery: boolean;
  baseUrl: string;
  shortBaseUrls: ShortBaseUrls;
  /** True if lookups ignore the case of short codes. */
  foldsCase: boolean;
  /** Stores the time of a session's last use in the background. */
  lastUses: { session(session: Session, now: number): void };
  /** Called after a link was changed or deleted, so that redirects use the new version immediately. */
  onLinkChanged(code: string): void;
  /** Folder for uploaded files. */
  uploadDirectory: string;
  /** Extends the time limit of a request whose body is still arriving. */
  extendDeadline(request: IncomingMessage): void;
  /** Delays the server's shutdown until this work is done. */
  holdStop(work: Promise<void>): void;
  isStopping(): boolean;
}
