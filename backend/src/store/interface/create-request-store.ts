import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import type { Idempotency } from '../../domain/limits/idempotency-key.ts';
import type { KeyLimits, LimitReport } from '../../domain/limits/key-limits.ts';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';

/**
 * Creates links for API requests, with rate limits and idempotency keys. The current time comes from the database, so
 * all server processes use the same clock.
 */
export interface CreateRequestStore {
  /**
   * Handles a request to create links, in one transaction. If the client has sent the same idempotency key before,
   * returns the cached response. Otherwise, counts the request against the limits, creates the links and caches the
   * response. If an earlier request with the same idempotency key is still running, waits for the earlier request's
   * response.
   */
  submit(request: CreateRequest): Promise<CreateOutcome>;
  left(key: Pick<ApiKey, 'id' | 'accountId'>, of: Pick<CreateRequest, 'limits' | 'accountQuota'>): Promise<LimitReport>;
  /** Deletes the cached responses that were created before `before` or at that time. Returns their number. */
  forget(before: number): Promise<number>;
}

/** A JSON response, which is cached so that a repeated request gets the same response. */
export interface JsonResponse {
  status: number;
  body: string;
  location: string | null;
}

/** An authenticated request to create one or more links. It counts as one request for `limits` and `accountQuota`. */
export interface CreateRequest {
  key: ApiKey;
  limits: KeyLimits;
  /** Maximum number of requests per day for all API keys of the account together. Null if the account has no limit. */
  accountQuota: number | null;
  /** Null if the request has no valid idempotency key or if its body could not be read. */
  idempotency: Idempotency | null;
  items: CreateItem[];
  /** Returns the response to the request, given the responses to its items. Must have no side effects. */
  respond(items: JsonResponse[]): JsonResponse;
}

/** A link that a request creates. The idempotency key is for this link alone, and only items of a batch have one. */
export interface CreateItem {
  link: NewLink;
  idempotency: Idempotency | null;
  /** Returns the response to this item. Must have no side effects. */
  respond(result: ItemResult): JsonResponse;
}

/**
 * The created link, or the reason why there is none. `taken`: all short codes tried for the link were taken. `reused`:
 * the idempotency key was already used for a different link.
 */
export type ItemResult = StoredLink | 'taken' | 'reused';

export type CreateOutcome =
  | { kind: 'answered'; response: JsonResponse; limits: LimitReport }
  | { kind: 'replayed'; response: JsonResponse; limits: LimitReport }
  | { kind: 'refused'; by: 'throttle' | 'quota'; limits: LimitReport }
  | { kind: 'reused'; limits: LimitReport };
