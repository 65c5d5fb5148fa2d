import type { KeyAccess } from '../../domain/accounts/api-keys.ts';
import type { ChargedQuota, QuotaName } from '../../domain/limits/account-quotas.ts';
import type { KeyLimits, LimitReport } from '../../domain/limits/key-limits.ts';
import type { AccountStore, SessionStore } from './account-store.ts';
import type { ClickPartitions, ClickStore, MonthStore } from './click-store.ts';
import type { ImportStore } from './import-store.ts';
import type { ServingProcesses } from './serving-process-store.ts';
import type { LendableWriteLock } from './write-lock.ts';

/**
 * Everything the service remembers, whichever engine keeps it. Every promise of a write resolves only when the write
 * is on disk. Instants are milliseconds since the epoch.
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
  /** Null where all counts are in one table. */
  partitions: ClickPartitions | null;
  /** Who serves the database; null where that is one process at most. */
  servingProcesses: ServingProcesses | null;
  /** How another thread of this process may write; null where the engine takes many writers. */
  writeLock: LendableWriteLock | null;
  /** Finishes what was asked, then lets go of the database. */
  close(): Promise<void>;
}

/** An API key as the store knows it; the key itself is never kept. */
export interface ApiKey extends KeyAccess {
  id: number;
  accountId: number;
  name: string;
  lastFour: string;
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** When its account was disabled; null where it is not. */
  disabledAt: number | null;
  /** The key's own limits; null where the service's hold. */
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
  /** Makes a key as long as its account has fewer than `most`, revoked ones since an instant included; otherwise null. */
  createWithin(bounds: { most: number; revokedSince: number }, key: NewKey): Promise<ApiKey | null>;
  /** The key with this hash, revoked or not. */
  find(hash: Uint8Array): Promise<ApiKey | null>;
  /** Every key, or every key of an account, oldest first. */
  list(accountId?: number): Promise<ApiKey[]>;
  /** Names an account's key anew and sets its own limits. False where the account has no such key. */
  change(accountId: number, id: number, to: Pick<ApiKey, 'name' | 'throttle' | 'quota'>): Promise<boolean>;
  /** False where there is no such key; a key revoked before stays revoked at the earlier instant. */
  revoke(id: number, now: number): Promise<boolean>;
  /** Notes that a key was used. */
  touch(id: number, now: number): Promise<void>;
}

/** What a redirect needs of a link. */
export interface LinkTarget {
  id: number;
  url: string;
  expiresAt: number | null;
  deletedAt: number | null;
}

/** A link as its owner sees it. */
export interface StoredLink extends LinkTarget {
  code: string;
  accountId: number;
  /** The key that made it; null for a link from the dashboard or an import. */
  keyId: number | null;
  title: string | null;
  createdAt: number;
  /** How long its deletion can be undone; null where it is not deleted, or for good. */
  undoUntil: number | null;
  clicks: number;
}

export interface LinkChanges {
  /** How often links have changed so far. */
  changes: number;
  /** Of the links that changed; null where any link may have. */
  codes: string[] | null;
}

export interface LinkStore {
  /** Where codes lead, in their order, deleted and expired links included; null for a code that was never given out. */
  resolve(codes: readonly string[]): Promise<(LinkTarget | null)[]>;
  /**
   * Which links were edited, deleted or restored since `last`: what `resolve` found of all others still holds.
   *
   * @param last as it was answered before; null for whoever asks for the first time
   */
  changesSince(last: number | null): Promise<LinkChanges>;
  /** Forgets the codes of all changes but the last ones, 10,000 unless said otherwise: every process has read them long ago. */
  forgetChanges(kept?: number): Promise<void>;
  /** A link of this account, also where it is deleted or expired. */
  find(accountId: number, code: string): Promise<StoredLink | null>;
  /** An account's links that are not deleted, in an order, from the one that follows `after`. */
  list(accountId: number, after: LinkPosition | null, most: number, order?: LinkOrder): Promise<StoredLink[]>;
  /** Number of an account's links that are not deleted, counted up to `most`. */
  count(accountId: number, most: number): Promise<number>;
  /** The links made by a key that sees no others, newest first, deleted ones left out, from the one that follows `after`. */
  listOfKey(keyId: number, after: LinkPosition | null, most: number): Promise<StoredLink[]>;
  /** Makes a link outside any key's budget; null where all its codes were taken. */
  create(accountId: number, link: NewLink, now: number): Promise<StoredLink | null>;
  /** Changes what an edit names, and answers the link as it is then. Null where the account has no such link, or deleted it. */
  edit(accountId: number, code: string, edit: LinkEdit): Promise<StoredLink | null>;
  /**
   * Deletes a link; its code is never given out again. Final, unless it can be undone until an instant. False where the
   * account has no such link, or has deleted it.
   */
  remove(accountId: number, code: string, now: number, undoUntil?: number): Promise<boolean>;
  /** Those of an account's links with one of these codes that are not deleted, newest first. */
  findAll(accountId: number, codes: readonly string[]): Promise<StoredLink[]>;
  /**
   * In ONE transaction: deletes those of an account's links with one of these codes that are not deleted yet. They have the
   * instant of their deletion in common, by which it is undone. Returns the codes of those it deleted.
   */
  removeAll(accountId: number, codes: readonly string[], now: number, undoUntil: number): Promise<string[]>;
  /** How many of an account's links were deleted at that very instant and can still be restored. */
  countRestorable(accountId: number, undo: Undo): Promise<number>;
  /** In ONE transaction: restores at most so many of them, and returns their codes. */
  restoreAll(accountId: number, undo: Undo, most: number): Promise<string[]>;
  /** Deletes a link for good, whoever's it is, also where it was deleted before. False where nobody ever had the code. */
  takeDown(code: string, now: number): Promise<boolean>;
  /** Undoes the deletion of that very instant, where it can still be undone. */
  restore(accountId: number, code: string, undo: Undo): Promise<boolean>;
}

/** Which deletion is to be undone, and when. */
export interface Undo {
  deletedAt: number;
  now: number;
}

/** A link's position in every order, whether it was deleted since or not. An order by clicks looks these up by the id. */
export type LinkPosition = Pick<StoredLink, 'id' | 'createdAt'>;

/** By when links were created, `newest` first unless asked otherwise, or by their clicks. Of equal ones the id decides. */
export type LinkOrder = 'newest' | 'oldest' | 'clicks';

/** What of a link can change; a field that is left out stays. */
export type LinkEdit = Partial<Pick<StoredLink, 'url' | 'title' | 'expiresAt'>>;

/** A link to be made. The first of `codes` that nobody holds or held becomes its code. */
export interface NewLink {
  codes: Iterable<string>;
  url: string;
  title: string | null;
  expiresAt: number | null;
  /** The idempotency key that the link bears by itself, as an item of a batch; not there where it bears none. */
  idempotency?: ItemIdempotency;
}

/** An idempotency key of one link, and the draft that is kept with the link for a replay. */
export interface ItemIdempotency extends Idempotency {
  draft: string;
}

export interface Idempotency {
  key: string;
  endpoint: string;
  fingerprint: Uint8Array;
}

/** One authenticated request to create links, decided on and executed as a whole. */
export interface CreateRequest {
  key: ApiKey;
  limits: KeyLimits;
  /** What the key's account may order in a day, by all its keys together; null where nothing bounds it. */
  accountQuota: number | null;
  /** Null where the request bears no key, or no body to tell it by. */
  idempotency: Idempotency | null;
  links: NewLink[];
  /** All that its answer will be worded from beside the links that are made. Kept with them, for a replay. */
  draft: string;
}

/** A link that a submission made, as it was at that instant. */
export type MadeLink = Pick<StoredLink, 'code' | 'url' | 'title' | 'createdAt' | 'expiresAt'>;

/** What a submission came to. */
export interface Result {
  draft: string;
  /**
   * In the order asked. Null stands for a link whose codes were all taken, `reused` for one whose own idempotency key was
   * used for another.
   */
  made: (MadeLink | null | 'reused')[];
}

/** An answer as version 0.1 kept it, in its own words. */
export interface WordedAnswer {
  status: number;
  body: string;
  location: string | null;
}

/** How a submission ended, and the key's limits after it. */
export type Outcome =
  | { kind: 'answered'; result: Result; limits: LimitReport }
  | { kind: 'replayed'; result: Result | WordedAnswer; limits: LimitReport }
  | { kind: 'refused'; by: 'throttle' | 'quota'; limits: LimitReport }
  | { kind: 'reused'; limits: LimitReport };

/** Submissions are dated by one clock for all processes: the database's, read while their key's row is locked. */
export interface CreateRequestStore {
  /**
   * In ONE transaction: replays a kept result, or checks and charges all limits, makes the links, and keeps the result.
   * A request that comes while its twin is under way waits for the twin and gets its answer.
   */
  submit(submission: CreateRequest): Promise<Outcome>;
  /** What is left of a key's limits just now. */
  left(key: Pick<ApiKey, 'id' | 'accountId'>, of: Pick<CreateRequest, 'limits' | 'accountQuota'>): Promise<LimitReport>;
  /** Forgets the results kept before an instant; returns how many. */
  forget(before: number): Promise<number>;
}

/** What accounts spend in a UTC day of the database's clock; see `domain/budgets.ts`. */
export interface QuotaStore {
  /** Spends up to `units` of what is left of an account's budget of `most` a day; none tells how it stands. */
  spend(accountId: number, budget: QuotaName, units: number, most: number): Promise<ChargedQuota>;
}

/** The account that the command line's keys belong to; every database has it from the start. */
export const FIRST_ACCOUNT = 1;

/** Opening the database failed in a way its operator can understand. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The database could not do what was asked just now: it is out of reach, or too busy. Its `cause` says more. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super('The database cannot be reached just now.', { cause });
  }
}

/** The disk of the database is full: everything can be read, and nothing be written. */
export class StoreFull extends StoreUnavailable {
  override name = 'StoreFull';
}

/** The database did not answer in time. What was asked of it may have been done all the same. */
export class StoreTimeout extends StoreUnavailable {
  override name = 'StoreOverdue';

  constructor() {
    super(new Error('The database did not answer in time.'));
  }
}
