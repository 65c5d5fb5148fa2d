import type { KeyAccess } from '../../domain/accounts/api-keys.ts';
import type { ApiKey } from '../../domain/accounts/stored-key.ts';
import type { ChargedQuota, QuotaName } from '../../domain/limits/account-quotas.ts';
import type { AccountStore, SessionStore } from './account-store.ts';
import type { ClickPartitions, ClickStore, MonthStore } from './click-store.ts';
import type { CreateRequestStore } from './create-request-store.ts';
import type { ImportStore } from './import-store.ts';
import type { LinkStore } from './link-store.ts';
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
  createRequests: CreateRequestStore;
  quotas: QuotaStore;
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

export interface KeyStore {
  create(key: NewKey): Promise<ApiKey>;
  /**
   * Creates a key if the account has fewer than `max` keys. Keys revoked after `revokedSince` count too. Returns
   * null otherwise.
   */
  createWithin(bounds: { max: number; revokedSince: number }, key: NewKey): Promise<ApiKey | null>;
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

export interface NewKey extends KeyAccess {
  accountId: number;
  name: string;
  hash: Uint8Array;
  lastFour: string;
  createdAt: number;
  throttle: number | null;
  quota: number | null;
}

/** Daily quotas of accounts, per UTC day of the database's clock. See `domain/limits/account-quotas.ts`. */
export interface QuotaStore {
  /** Spends up to `units` of an account's daily quota, as far as it lasts. With 0 units it only reads the quota. */
  spend(accountId: number, quota: QuotaName, units: number, max: number): Promise<ChargedQuota>;
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
    super('The database is unreachable at the moment.', { cause });
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
    super(new Error('The database did not respond in time.'));
  }
}
