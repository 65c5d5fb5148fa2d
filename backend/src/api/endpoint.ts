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

/** Everything outside the API that its endpoints use. */
export interface ApiServices {
  store: Store;
  clock: Clock;
  random: Random;
  /** Default limits of a key. */
  limits: KeyLimits;
  /** Daily quotas of all accounts except the owner's. */
  accountLimits: AccountLimits;
  targets: TargetRules;
  /** Public origin of the API, without a trailing slash. */
  baseUrl: string;
  /** Public origin of the short URLs, without a trailing slash. */
  shortBaseUrl: string;
  /** Records in the background that a key was used. */
  lastUses: { key(key: ApiKey, now: number): void };
  /** Drops a changed link from this process's cache. */
  forgetLink(code: string): void;
  version: string;
}

/** Values that Hono stores per request: the endpoint's path for the log, the API key, and the limit that refused it. */
export type Env = { Bindings: HttpBindings; Variables: { route: string; key: ApiKey; limit: string } };

/** One method of one path. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In Hono's syntax: `/api/v1/urls/:shortCode`. */
  path: string;
  /** `open` needs no key, `read` has a throttle, and `create` is charged to the throttle and the daily quota. */
  access: 'open' | 'read' | 'create';
  /** Scope that the key must have; null if any key will do or no key is needed. */
  scope: KeyScope | null;
  /** Entry in the OpenAPI document; null if the endpoint is not part of it. */
  doc: Operation | null;
  handle(context: Context<Env>): Response | Promise<Response>;
}

/** Returns the limits of a key: its own, or those of the service. */
export function limitsOf(key: ApiKey, standard: KeyLimits): KeyLimits {
  return limitsInForce(key, standard, key.accountId === FIRST_ACCOUNT);
}
