import type { ChargedQuota } from '../../domain/limits/account-quotas.ts';
import type { LinkEdit, LinkTarget, NewLink, StoredLink } from '../../domain/links/stored-link.ts';

export interface LinkStore {
  /**
   * Returns the link with a stored code (see `storedCode`), even if the link is deleted or expired. Returns null if
   * the code is unknown. If lookups ignore case, the code must be in lower case.
   */
  resolve(code: string): Promise<LinkTarget | null>;
  /** Returns the hosts of all domains that have links, including deleted links. The default domain is omitted. */
  hosts(): Promise<string[]>;
  /**
   * Returns the links that were edited, deleted or restored since the last call. The caller uses the list to remove
   * outdated links from its cache.
   *
   * @param last value of `changes` that the previous call returned, or null for the first call
   */
  changesSince(last: number | null): Promise<LinkChanges>;
  /**
   * Deletes old entries from the list of link changes and keeps the latest `kept` changes. Server processes that had
   * not read the deleted entries clear their whole link cache.
   *
   * @param kept 10,000 by default
   */
  forgetChanges(kept?: number): Promise<void>;
  /** Returns a link of the account, even if the link is deleted or expired. */
  find(accountId: number, code: string): Promise<StoredLink | null>;
  /** Returns links of an account, starting after the position `after`. Deleted links are omitted. */
  list(accountId: number, after: LinkPosition | null, max: number, order?: LinkOrder): Promise<StoredLink[]>;
  /** Works like `list`, but returns only links with the given tag. */
  listTagged(
    accountId: number,
    tag: string,
    after: LinkPosition | null,
    max: number,
    order: TagOrder,
  ): Promise<StoredLink[]>;
  /** Counts the links of an account, up to `max`. Deleted links are omitted. */
  count(accountId: number, max: number): Promise<number>;
  /**
   * Returns links that were created with an API key, newest first, starting after the position `after`. Deleted links
   * are omitted. Supports only API keys that are restricted to their own links.
   */
  listOfKey(keyId: number, after: LinkPosition | null, max: number): Promise<StoredLink[]>;
  /**
   * Creates a link without counting it against the limits of an API key. Returns null if all short codes in
   * `link.codes` are taken.
   */
  create(accountId: number, link: NewLink, now: number): Promise<StoredLink | null>;
  /**
   * Creates a link for a form and charges it to the account's daily quota, in one transaction. `code` is null if the
   * quota is used up or all short codes in `link.codes` are taken. `spent` is null if the account has no quota. If the
   * form was already submitted, returns the code of the first time and charges nothing.
   *
   * @param quota maximum number of links per day, or null if the account has no quota
   */
  createFromForm(
    accountId: number,
    link: NewLink,
    form: { submission: Uint8Array | null; quota: number | null; now: number },
  ): Promise<{ code: string | null; spent: ChargedQuota | null }>;
  /**
   * Edits a link and returns the new version. Returns null if the account has no such link or if the link is deleted.
   */
  edit(accountId: number, code: string, edit: LinkEdit): Promise<StoredLink | null>;
  /**
   * Deletes a link. Its short code is never used again. The deletion is final unless `undoUntil` is given. Returns
   * false if the account has no such link or if the link is already deleted.
   */
  remove(accountId: number, code: string, now: number, undoUntil?: number): Promise<boolean>;
  /** Returns the account's links with these short codes, newest first. Deleted links are omitted. */
  findAll(accountId: number, codes: readonly string[]): Promise<StoredLink[]>;
  /**
   * Deletes the account's links with these short codes, in one transaction, and returns the short codes of the
   * deleted links. All these links get the same deletion time, which is later used to undo the deletion.
   */
  removeAll(accountId: number, codes: readonly string[], now: number, undoUntil: number): Promise<string[]>;
  /** Counts the account's links that were deleted at the given time and can still be restored. */
  countRestorable(accountId: number, undo: Undo): Promise<number>;
  /**
   * In one transaction, restores up to `max` links of an account that were deleted at the given time. Returns the
   * short codes of the restored links.
   */
  restoreAll(accountId: number, undo: Undo, max: number): Promise<string[]>;
  /**
   * Permanently deletes a link of any account. If the link was already deleted, makes that deletion permanent.
   * Returns false if no link has this short code.
   */
  takeDown(code: string, now: number): Promise<boolean>;
  /**
   * Restores a link that was deleted at the given time. Returns false if the link cannot be restored, for example
   * because the time to undo has passed.
   */
  restore(accountId: number, code: string, undo: Undo): Promise<boolean>;
}

export interface LinkChanges {
  /** Number of link changes since the database was created. */
  changes: number;
  /** Short codes of the changed links. Null if the list of changes is incomplete, so any link may have changed. */
  codes: string[] | null;
}

/** Position in a list of links, from which the next page starts. The position stays valid if the link is deleted. */
export type LinkPosition = Pick<StoredLink, 'id' | 'createdAt'>;

/** Sort order of a list of links. Links with the same creation time or the same number of clicks are sorted by id. */
export type LinkOrder = 'newest' | 'oldest' | 'clicks';

/** Sort order of links with a tag. Sorting by clicks is not supported, because no index exists for it. */
export type TagOrder = Exclude<LinkOrder, 'clicks'>;

/** A deletion to undo, identified by its time. All links that were deleted together have the same deletion time. */
export interface Undo {
  deletedAt: number;
  now: number;
}
