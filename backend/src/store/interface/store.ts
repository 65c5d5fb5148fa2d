import type { ApiKey, KeyAccess } from '../../domain/accounts/api-keys.ts';
import type { CreateRequestStore } from '../sql/create-request.ts';
import type { QuotaStore } from '../sql/limit-usage.ts';
import type { AccountStore, SessionStore } from './account-store.ts';
import type { ClickStore, MonthStore } from './click-store.ts';
import type { ImportStore } from './import-store.ts';
import type { LinkStore } from './link-store.ts';
import type { ServingProcesses } from './serving-process-store.ts';
import type { UploadStore } from './upload-store.ts';

/**
 * Interface to the database, implemented for SQLite and PostgreSQL. The promise of a write resolves when the data is
 * on disk. Times are in milliseconds since January 1, 1970.
 */
export interface Store {
  accounts: AccountStore;
  sessions: SessionStore;
  imports: ImportStore;
  uploads: UploadStore;
  keys: KeyStore;
  links: LinkStore;
  createRequests: CreateRequestStore;
  quotas: QuotaStore;
  clicks: ClickStore;
  months: MonthStore;
  /** Null if only one process can use the database. */
  servingProcesses: ServingProcesses | null;
  close(): Promise<void>;
}

export interface KeyStore {
  create(key: NewKey): Promise<ApiKey>;
  /**
   * Creates an API key for a form if the account has fewer than `max` keys. Keys that were revoked after
   * `revokedSince` count too. Returns null if the account already has `max` keys, and `repeated` if the form was
   * already submitted.
   */
  createFromForm(
    key: NewKey,
    form: { submission: Uint8Array | null; max: number; revokedSince: number },
  ): Promise<ApiKey | 'repeated' | null>;
  /** Returns the API key with this hash, even if the key is revoked. */
  find(hash: Uint8Array): Promise<ApiKey | null>;
  /** Returns the API keys of one account, or of all accounts if `accountId` is omitted. The oldest keys come first. */
  list(accountId?: number): Promise<ApiKey[]>;
  change(accountId: number, id: number, to: Pick<ApiKey, 'name' | 'throttle' | 'quota'>): Promise<boolean>;
  /**
   * Revokes an API key. If the key is already revoked, the original revocation time is kept. Returns false if the key
   * does not exist.
   */
  revoke(id: number, now: number): Promise<boolean>;
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

/**
 * Account of the service's owner. Every database contains this account. API keys created on the command line belong
 * to it.
 */
export const FIRST_ACCOUNT = 1;

/** Error whose message is written for the operator of the service. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Thrown if a setting cannot be used with the data in the database. */
export class SettingError extends StoreError {
  override name = 'SettingError';
}

/** The database is unreachable or overloaded. `cause` is the original error. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(cause: unknown, message = 'The database is unreachable at the moment.') {
    super(message, { cause });
  }
}

/** The disk that stores the database is full. Reads still work, but writes fail. */
export class StoreFull extends StoreUnavailable {
  override name = 'StoreFull';

  constructor(cause: unknown) {
    super(cause, 'The disk of the database is full, so nothing can be saved.');
  }
}

/** The database did not respond in time. The operation may still have succeeded. */
export class StoreTimeout extends StoreUnavailable {
  override name = 'StoreOverdue';

  constructor() {
    super(new Error('The database did not respond in time.'));
  }
}
