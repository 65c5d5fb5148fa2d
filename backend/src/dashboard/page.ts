import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Session } from '../store/account-store.ts';

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
