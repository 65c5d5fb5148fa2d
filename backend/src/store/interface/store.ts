import type { KeyAccess } from '../../domain/accounts/api-keys.ts';
import type { QuotaName, Spent } from '../../domain/limits/account-quotas.ts';
import type { KeyLimits, LimitReport } from '../../domain/limits/key-limits.ts';
import type { AccountStore, SessionStore } from './account-store.ts';
import type { ClickPartitions, ClickStore, MonthStore } from './click-store.ts';
import type { ImportStore } from './import-store.ts';
import type { ServingProcesses } from './serving-process-store.ts';
import type { LendableWriteLock } from './write-lock.ts';

/**
 * Interface of the whole database, the same for both engines. Each write resolves when the data is on disk. Times are
 * in milliseconds since the epoch.
 */
export interface Store {
  accounts: AccountStore;
  sessions: SessionStore;
  imports: ImportStore;
  keys: KeyStore;
  links: LinkStore;
  submissions: CreateRequestStore;
  budgets: QuotaStore;
  clicks: ClickStore;
  months: MonthStore;
  /** Null if all daily counts are in one table. */
  partitions: ClickPartitions | null;
  /** Null if only one process can serve the database. */
  servingProcesses: ServingProcesses | null;
  /** Lock for other threads of this process that write; null if the engine allows several writers. */
  writeLock: LendableWriteLock | null;
  /** Waits for running operations, then closes the database. */
  close(): Promise<void>;
}

/** An API key as it is stored. The key itself is not stored. */
export interface ApiKey extends KeyAccess {
  id: number;
  accountId: number;
  name: string;
  lastFour: string;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** Time when the key's account was disabled; null if it is active. */
  disabledAt: number | null;
  /** Limits of this key; null if the defaults of the server apply. */
  throttle: number | null;
  quota: number | null;
}

export interface NewKey extends KeyAccess {
  accountId: number;
  name: string;
  hash: Uint8Array;
  lastFour: string;
  createdAt: number;
  throttle: number | null;
  quota: number | null;
}

export interface KeyStore {
  create(key: NewKey): Promise<ApiKey>;
  /**
   * Creates a key if the account has fewer than `most` keys. Keys revoked after `revokedSince` count too. Returns
   * null otherwise.
   */
  createWithin(bounds: { most: number; revokedSince: number }, key: NewKey): Promise<ApiKey | null>;
  /** Returns the key with this hash, even if it is revoked. */
  find(hash: Uint8Array): Promise<ApiKey | null>;
  /** Returns all keys, or all keys of one account, oldest first. */
  list(accountId?: number): Promise<ApiKey[]>;
  /** Changes a key's name and limits. Returns false if the account has no such key. */
  change(accountId: number, id: number, to: Pick<ApiKey, 'name' | 'throttle' | 'quota'>): Promise<boolean>;
  /** Revokes a key. A key that is already revoked keeps its earlier time. Returns false if there is no such key. */
  revoke(id: number, now: number): Promise<boolean>;
  /** Records that a key was used. */
  touch(id: number, now: number): Promise<void>;
}

/** Fields of a link that a redirect needs. */
export interface LinkTarget {
  id: number;
  url: string;
  expiresAt: number | null;
  deletedAt: number | null;
}

/** A link with all its fields. */
export interface StoredLink extends LinkTarget {
  code: string;
  accountId: number;
  /** Key that created the link; null for a link from the dashboard or an import. */
  keyId: number | null;
  title: string | null;
  createdAt: number;
  /** Time until which the deletion can be undone; null if the link is not deleted or the deletion is final. */
  undoUntil: number | null;
  clicks: number;
}

export interface LinkChanges {
  /** Number of changes so far, over all links. */
  changes: number;
  /** Codes of the changed links; null if any link may have changed. */
  codes: string[] | null;
}

export interface LinkStore {
  /**
   * Returns the targets of codes in the same order, including deleted and expired links. Returns null for an unknown
   * code.
   */
  resolve(codes: readonly string[]): Promise<(LinkTarget | null)[]>;
  /**
   * Returns the links that were edited, deleted or restored since `last`, so that a cache can drop them.
   *
   * @param last `changes` of the previous call; null for the first call
   */
  changesSince(last: number | null): Promise<LinkChanges>;
  /**
   * Deletes the codes of all but the last `kept` changes, 10,000 by default. Every process has read the older ones.
   */
  forgetChanges(kept?: number): Promise<void>;
  /** Returns a link of the account, even if it is deleted or expired. */
  find(accountId: number, code: string): Promise<StoredLink | null>;
  /** Returns links of an account after the position `after`, without deleted links. */
  list(accountId: number, after: LinkPosition | null, most: number, order?: LinkOrder): Promise<StoredLink[]>;
  /** Counts the links of an account without deleted links, up to `most`. */
  count(accountId: number, most: number): Promise<number>;
  /**
   * Returns links created by a key that can see only its own links, newest first, after the position `after`. Deleted
   * links are left out.
   */
  listOfKey(keyId: number, after: LinkPosition | null, most: number): Promise<StoredLink[]>;
  /** Creates a link without charging the limits of a key. Returns null if all its codes are taken. */
  create(accountId: number, link: NewLink, now: number): Promise<StoredLink | null>;
  /** Edits a link and returns the result. Returns null if the account has no such link or it is deleted. */
  edit(accountId: number, code: string, edit: LinkEdit): Promise<StoredLink | null>;
  /**
   * Deletes a link. Its code is never issued again. The deletion is final unless `undoUntil` is set. Returns false if
   * the account has no such link or it is already deleted.
   */
  remove(accountId: number, code: string, now: number, undoUntil?: number): Promise<boolean>;
  /** Returns the account's links with these codes, newest first. Deleted links are left out. */
  findAll(accountId: number, codes: readonly string[]): Promise<StoredLink[]>;
  /**
   * Deletes the account's links with these codes, in one transaction, and returns the codes of those it deleted. They
   * share one deletion time, which identifies them for an undo.
   */
  removeAll(accountId: number, codes: readonly string[], now: number, undoUntil: number): Promise<string[]>;
  /** Counts the account's links with this deletion time that can still be restored. */
  countRestorable(accountId: number, undo: Undo): Promise<number>;
  /** Restores up to `most` of these links, in one transaction, and returns their codes. */
  restoreAll(accountId: number, undo: Undo, most: number): Promise<string[]>;
  /**
   * Deletes a link of any account permanently, even if it is already deleted. Returns false if there is no such link.
   */
  takeDown(code: string, now: number): Promise<boolean>;
  /** Restores the link with this deletion time. Returns false if that is no longer possible. */
  restore(accountId: number, code: string, undo: Undo): Promise<boolean>;
}

/** Identifies a deletion to undo by its time. */
export interface Undo {
  deletedAt: number;
  now: number;
}

/**
 * Position of a link in a list, in any order and even after its deletion. The order by clicks finds the click count
 * by the id.
 */
export type LinkPosition = Pick<StoredLink, 'id' | 'createdAt'>;

/** Order of a list: by creation time or by clicks. Links with equal values are sorted by id. */
export type LinkOrder = 'newest' | 'oldest' | 'clicks';

/** Changes to a link. A field that is left out stays unchanged. */
export type LinkEdit = Partial<Pick<StoredLink, 'url' | 'title' | 'expiresAt'>>;

/** A link to create. It gets the first of `codes` that was never used. */
export interface NewLink {
  codes: Iterable<string>;
  url: string;
  title: string | null;
  expiresAt: number | null;
  /** Idempotency key of this link, if it is an item of a batch and has one. */
  idempotency?: ItemIdempotency;
}

/** Idempotency key of a batch item. The draft is stored in its cached response. */
export interface ItemIdempotency extends Idempotency {
  draft: string;
}

export interface Idempotency {
  key: string;
  endpoint: string;
  fingerprint: Uint8Array;
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

/** A link as it was when the request created it. */
export type MadeLink = Pick<StoredLink, 'code' | 'url' | 'title' | 'createdAt' | 'expiresAt'>;

/** The created links and the draft, from which the response is built. */
export interface Result {
  draft: string;
  /**
   * Results in the order of the request. Null means that all codes of a link were taken. `reused` means that its
   * idempotency key was used for another link.
   */
  made: (MadeLink | null | 'reused')[];
}

/** A cached response of version 0.1, which stored the response itself. */
export interface WordedAnswer {
  status: number;
  body: string;
  location: string | null;
}

/** Result of a create request, with the key's limits after it. */
export type Outcome =
  | { kind: 'answered'; result: Result; limits: LimitReport }
  | { kind: 'replayed'; result: Result | WordedAnswer; limits: LimitReport }
  | { kind: 'refused'; by: 'throttle' | 'quota'; limits: LimitReport }
  | { kind: 'reused'; limits: LimitReport };

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
  submit(submission: CreateRequest): Promise<Outcome>;
  /** Returns the remaining limits of a key. */
  left(key: Pick<ApiKey, 'id' | 'accountId'>, of: Pick<CreateRequest, 'limits' | 'accountQuota'>): Promise<LimitReport>;
  /** Deletes the responses cached before a time and returns their number. */
  forget(before: number): Promise<number>;
}

/** Daily quotas of accounts, per UTC day of the database's clock. See `domain/limits/account-quotas.ts`. */
export interface QuotaStore {
  /** Spends up to `units` of an account's daily quota, as far as it lasts. With 0 units it only reads the quota. */
  spend(accountId: number, budget: QuotaName, units: number, most: number): Promise<Spent>;
}

/** Account that owns the keys of the command line. Every database contains it. */
export const FIRST_ACCOUNT = 1;

/** An error whose message is written for the operator. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The database is unreachable or overloaded. `cause` has the original error. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super('The database cannot be reached just now.', { cause });
  }
}

/** The database's disk is full: reads work, writes fail. */
export class StoreFull extends StoreUnavailable {
  override name = 'StoreFull';
}

/** The database did not respond in time. The operation may still have been executed. */
export class StoreTimeout extends StoreUnavailable {
  override name = 'StoreOverdue';

  constructor() {
    super(new Error('The database did not answer in time.'));
  }
}
