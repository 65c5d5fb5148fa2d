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

/** What travels with a request: its page's path, for the log, and the session of whoever is signed in. */
export type PageEnv = { Bindings: HttpBindings; Variables: { route: string; session: Session } };

export type PageContext = Context<PageEnv>;

/** One method of one path. */
export interface Page {
  method: 'GET' | 'POST';
  /** In Hono's form: `/links/:code`. */
  path: string;
  /** `open` to everybody, to a `holder` who is signed in, or to the `owner` of the service alone. */
  access: 'open' | 'holder' | 'owner';
  /** Reads its body itself and bounds its size; every other body is bounded as a form. */
  readsBody?: true;
  handle(context: PageContext): Response | Promise<Response>;
}

/** Everything outside the dashboard that its pages use. */
export interface Services extends ProxySettings {
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** The limits of a key that has none of its own. */
  limits: KeyLimits;
  /** What accounts other than the owner's may do in a day. */
  accountLimits: AccountLimits;
  targets: TargetRules;
  baseUrl: string;
  shortBaseUrl: string;
  /** Notes beside the answer that a session was used. */
  lastUses: { session(session: Session, now: number): void };
  /** Called with the code of a link that was changed or deleted, so that its short URL follows at once. */
  onLinkChanged(code: string): void;
  /** A folder on disk for files while they are imported. */
  uploadDirectory: string;
  /** Restarts the time that a request has to arrive, while its body is still coming. */
  extendDeadline(request: IncomingMessage): void;
  /** Makes a stop of the service wait for work that continues after the answer. */
  holdStop(work: Promise<void>): void;
  isStopping(): boolean;
}
