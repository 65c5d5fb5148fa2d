import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { TrustedProxies } from '../domain/client-address.ts';
import type { Clock } from '../domain/clock.ts';
import type { KeyLimits } from '../domain/limits.ts';
import type { Random } from '../domain/random.ts';
import type { TargetRules } from '../domain/urls.ts';
import type { Log } from '../log/log.ts';
import type { Session } from '../store/account-store.ts';
import type { Store } from '../store/store.ts';

/** What the pages need of the world. */
export interface Services {
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** What a key may send unless it has limits of its own. */
  limits: KeyLimits;
  targets: TargetRules;
  /** Proxies whose word on who the client is is believed. */
  trustedProxies: TrustedProxies;
  baseUrl: string;
  shortBaseUrl: string;
  /** Told of a link that was changed or deleted, so that its short URL follows at once. */
  onLinkChanged(code: string): void;
  /** Gives a request whose body is still coming as long again to arrive. */
  extendDeadline(request: IncomingMessage): void;
  /** Has a stop wait for work that goes on after its answer. */
  holdStop(work: Promise<void>): void;
  isStopping(): boolean;
}

/** What travels with a request: the page's path for the log, and the session where one was asked for. */
export type Env = { Bindings: HttpBindings; Variables: { route: string; session: Session } };

export type PageContext = Context<Env>;

/** One method of one path. `open` needs nobody signed in; `holder` does; `owner` needs the one who runs the service. */
export interface Page {
  method: 'GET' | 'POST';
  /** In Hono's form: `/links/:code`. */
  path: string;
  access: 'open' | 'holder' | 'owner';
  /** Reads and bounds its body itself; what others are sent is bounded as a form. */
  readsBody?: true;
  handle(context: PageContext): Response | Promise<Response>;
}
