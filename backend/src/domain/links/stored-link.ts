import type { ItemIdempotency } from '../limits/idempotency-key.ts';

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

/** A link to create. It gets the first of `codes` that was never used. */
export interface NewLink {
  codes: Iterable<string>;
  url: string;
  title: string | null;
  expiresAt: number | null;
  /** Idempotency key of this link, if it is an item of a batch and has one. */
  idempotency?: ItemIdempotency;
}

/** Changes to a link. A field that is left out stays unchanged. */
export type LinkEdit = Partial<Pick<StoredLink, 'url' | 'title' | 'expiresAt'>>;
