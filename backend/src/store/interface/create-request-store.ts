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
  forget(before: number): Promise<number>;
}

/** An authenticated request to create one or more links. It counts as one request for `limits` and `accountQuota`. */
export interface CreateRequest {
  key: ApiKey;
  limits: KeyLimits;
  /** Maximum number of requests per day for all API keys of the account together. Null if the account has no limit. */
  accountQuota: number | null;
  /** Null if the request has no valid idempotency key or if its body could not be read. */
  idempotency: Idempotency | null;
  links: NewLink[];
  /** Serialized data for the response. The data is cached, so that a repeated request gets the same response. */
  draft: string;
}

export type CreateOutcome =
  | { kind: 'answered'; result: CreateResult; limits: LimitReport }
  | { kind: 'replayed'; result: CreateResult; limits: LimitReport }
  | { kind: 'refused'; by: 'throttle' | 'quota'; limits: LimitReport }
  | { kind: 'reused'; limits: LimitReport };

export interface CreateResult {
  draft: string;
  /**
   * Results in the order of the requested links. Null means that all short codes tried for the link were taken.
   * `reused` means that the client used the same idempotency key for a different link.
   */
  made: (CreatedLink | null | 'reused')[];
}

export type CreatedLink = Pick<
  StoredLink,
  'code' | 'url' | 'title' | 'createdAt' | 'expiresAt' | 'forwardQuery' | 'tags'
>;
