import type { ItemIdempotency } from '../limits/idempotency-key.ts';

export interface LinkTarget {
  id: number;
  url: string;
  expiresAt: number | null;
  deletedAt: number | null;
}

export interface StoredLink extends LinkTarget {
  /** Short code, preceded by its domain if this is not the default domain. See `storedCode`. */
  code: string;
  accountId: number;
  /** API key that created the link. Null if the link was created in the dashboard or imported. */
  keyId: number | null;
  title: string | null;
  createdAt: number;
  /**
   * Time until which the deletion of the link can be undone. Null if the link is not deleted or the deletion is
   * final.
   */
  undoUntil: number | null;
  clicks: number;
}

/** A link to create. The link gets the first of the stored codes in `codes` that was never used before. */
export interface NewLink {
  codes: Iterable<string>;
  url: string;
  title: string | null;
  expiresAt: number | null;
  /** Idempotency key for this link alone. Only links in a batch request can have a separate key. */
  idempotency?: ItemIdempotency;
}

export type LinkEdit = Partial<Pick<StoredLink, 'url' | 'title' | 'expiresAt'>>;
