import type { HttpBindings } from '@hono/node-server';
import type { KeyScope } from '@terse/contract';
import type { Context } from 'hono';
import type { ApiKey } from '../domain/accounts/stored-key.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { AccountLimits } from '../domain/limits/account-quotas.ts';
import { type KeyLimits, limitsInForce } from '../domain/limits/key-limits.ts';
import type { TargetRules } from '../domain/links/target-url.ts';
import { FIRST_ACCOUNT, type Store } from '../store/interface/store.ts';
import type { Operation } from './openapi/describe-endpoint.ts';

/** What the endpoints need of the world. */
export interface Services {
  store: Store;
  clock: Clock;
  random: Random;
  /** What a key may send unless it has limits of its own. */
  limits: KeyLimits;
  /** What accounts other than the owner's may do in a day. */
  accountLimits: AccountLimits;
  targets: TargetRules;
  /** Origins the public sees, without a trailing slash. */
  baseUrl: string;
  shortBaseUrl: string;
  /** Notes beside the answer that a key was used. */
  lastUses: { key(key: ApiKey, now: number): void };
  /** Makes this process notice at once that a link is not what it was. */
  forgetLink(code: string): void;
  version: string;
}

/** What is kept with a request: the endpoint's path for the log, the API key, and the limit that refused it. */
export type Env = { Bindings: HttpBindings; Variables: { route: string; key: ApiKey; limit: string } };

/**
 * One method of one path. `open` needs no key; `read` needs one and has a throttle of its own; `create` needs one and
 * is charged to the key's limits.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In Hono's form: `/api/v1/urls/:shortCode`. */
  path: string;
  access: 'open' | 'read' | 'create';
  /** What a key must be allowed for it; null where any key will do, or none is needed. */
  scope: KeyScope | null;
  /** What the API's description says of it; null for what is no part of the API, such as a page. */
  doc: Operation | null;
  handle(context: Context<Env>): Response | Promise<Response>;
}

/** The limits that hold for a key: its own, or the service's. */
export function limitsOf(key: ApiKey, standard: KeyLimits): KeyLimits {
  return limitsInForce(key, standard, key.accountId === FIRST_ACCOUNT);
}
