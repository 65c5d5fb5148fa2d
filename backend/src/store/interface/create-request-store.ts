import type { ApiKey } from '../../domain/accounts/stored-key.ts';
import type { Idempotency } from '../../domain/limits/idempotency-key.ts';
import type { KeyLimits, LimitReport } from '../../domain/limits/key-limits.ts';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';

/**
 * Creates links under limits and idempotency keys. Uses the database's clock, read while the key's row is locked, so
 * that all processes agree on the time.
 */
export interface CreateRequestStore {
  /**
   * Handles a create request in one transaction. Either replays the cached response, or charges the limits, creates
   * the links and caches the response. A request with the same idempotency key as a running one waits for it and gets
   * its response.
   */
  submit(request: CreateRequest): Promise<CreateOutcome>;
  /** Returns the remaining limits of a key. */
  left(key: Pick<ApiKey, 'id' | 'accountId'>, of: Pick<CreateRequest, 'limits' | 'accountQuota'>): Promise<LimitReport>;
  /** Deletes the responses cached before a time and returns their number. */
  forget(before: number): Promise<number>;
}

/** An authenticated request to create links. It is accepted or refused as a whole. */
export interface CreateRequest {
  key: ApiKey;
  limits: KeyLimits;
  /** Daily quota of the key's account, for all its keys together; null if there is none. */
  accountQuota: number | null;
  /** Null if the request has no idempotency key or no body. */
  idempotency: Idempotency | null;
  links: NewLink[];
  /** Other data that the response needs. It is stored in the cached response. */
  draft: string;
}

/** Result of a create request, with the key's limits after it. */
export type CreateOutcome =
  | { kind: 'answered'; result: CreateResult; limits: LimitReport }
  | { kind: 'replayed'; result: CreateResult | LegacyResponse; limits: LimitReport }
  | { kind: 'refused'; by: 'throttle' | 'quota'; limits: LimitReport }
  | { kind: 'reused'; limits: LimitReport };

/** The created links and the draft, from which the response is built. */
export interface CreateResult {
  draft: string;
  /**
   * Results in the order of the request. Null means that all codes of a link were taken. `reused` means that its
   * idempotency key was used for another link.
   */
  made: (CreatedLink | null | 'reused')[];
}

/** A link as it was when the request created it. */
export type CreatedLink = Pick<StoredLink, 'code' | 'url' | 'title' | 'createdAt' | 'expiresAt'>;

/** A cached response of version 0.1, which stored the response itself. */
export interface LegacyResponse {
  status: number;
  body: string;
  location: string | null;
}
