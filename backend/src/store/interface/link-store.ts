import type { LinkEdit, LinkTarget, NewLink, StoredLink } from '../../domain/links/stored-link.ts';

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
  list(accountId: number, after: LinkPosition | null, max: number, order?: LinkOrder): Promise<StoredLink[]>;
  /** Counts the links of an account without deleted links, up to `max`. */
  count(accountId: number, max: number): Promise<number>;
  /**
   * Returns links created by a key that can see only its own links, newest first, after the position `after`. Deleted
   * links are left out.
   */
  listOfKey(keyId: number, after: LinkPosition | null, max: number): Promise<StoredLink[]>;
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
  /** Restores up to `max` of these links, in one transaction, and returns their codes. */
  restoreAll(accountId: number, undo: Undo, max: number): Promise<string[]>;
  /**
   * Deletes a link of any account permanently, even if it is already deleted. Returns false if there is no such link.
   */
  takeDown(code: string, now: number): Promise<boolean>;
  /** Restores the link with this deletion time. Returns false if that is no longer possible. */
  restore(accountId: number, code: string, undo: Undo): Promise<boolean>;
}

export interface LinkChanges {
  /** Number of changes so far, over all links. */
  changes: number;
  /** Codes of the changed links; null if any link may have changed. */
  codes: string[] | null;
}

/**
 * Position of a link in a list, in any order and even after its deletion. The order by clicks finds the click count
 * by the id.
 */
export type LinkPosition = Pick<StoredLink, 'id' | 'createdAt'>;

/** Order of a list: by creation time or by clicks. Links with equal values are sorted by id. */
export type LinkOrder = 'newest' | 'oldest' | 'clicks';

/** Identifies a deletion to undo by its time. */
export interface Undo {
  deletedAt: number;
  now: number;
}
