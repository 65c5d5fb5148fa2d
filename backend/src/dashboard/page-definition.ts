import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { AccountLimits } from '../domain/limits/account-quotas.ts';
import type { KeyLimits } from '../domain/limits/key-limits.ts';
import type { TargetRules } from '../domain/links/target-url.ts';
import type { ProxySettings } from '../http/client-address.ts';
import type { Log } from '../log/json-log.ts';
import type { Session } from '../store/interface/account-store.ts';
import type { Store } from '../store/interface/store.ts';

/** Values attached to a request: the path of its page, for the log, and the session of the signed-in user. */
export type PageEnv = { Bindings: HttpBindings; Variables: { route: string; session: Session } };

export type PageContext = Context<PageEnv>;

/** Handler of one method of one path. */
export interface Page {
  method: 'GET' | 'POST';
  /** Path in Hono's syntax, such as `/links/:code`. */
  path: string;
  /** Users who may open the page: `anyone`, a signed-in `user`, or only the `owner` of the service. */
  access: 'anyone' | 'user' | 'owner';
  /** Set if the handler reads the body and limits its size. Otherwise the size limit of forms applies. */
  readsBody?: true;
  handle(context: PageContext): Response | Promise<Response>;
}

/** Services that the dashboard's pages use. */
export interface Services extends ProxySettings {
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** Limits of keys without their own limits. */
  limits: KeyLimits;
  /** Daily quotas of all accounts except the owner's. */
  accountLimits: AccountLimits;
  targets: TargetRules;
  baseUrl: string;
  shortBaseUrl: string;
  /** Records in the background that a session was used. */
  lastUses: { session(session: Session, now: number): void };
  /** Called with the code of a link that was changed or deleted, so that its short URL is updated at once. */
  onLinkChanged(code: string): void;
  /** Folder for uploaded files until they are imported. */
  uploadDirectory: string;
  /** Restarts the timeout of a request whose body is still arriving. */
  extendDeadline(request: IncomingMessage): void;
  /** Delays the shutdown of the service until work that continues after the response is done. */
  holdStop(work: Promise<void>): void;
  isStopping(): boolean;
}
