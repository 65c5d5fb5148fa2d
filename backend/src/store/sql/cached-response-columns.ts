import type { CachedResponse } from '../../domain/limits/accept-or-refuse-create.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { CreatedLink, CreateRequest, CreateResult, LegacyResponse } from '../interface/create-request-store.ts';

export interface CachedResponseRow extends CachedResponse, LegacyResponse {
  made: string | null;
}

/** Returns the database columns of a cached response. `status` and `location` have been unused since migration 9. */
export function toColumns({ draft, made }: CreateResult): LegacyResponse & { made: string } {
  return { status: 0, body: draft, location: null, made: JSON.stringify(made) };
}

export function fromColumns({ status, body, location, made }: CachedResponseRow): CreateResult | LegacyResponse {
  return made === null ? { status, body, location } : { draft: body, made: JSON.parse(made) };
}

/**
 * Returns the cached result for one link of a batch. Returns `reused` for responses cached by version 0.1, which did
 * not store results of single links.
 */
export function cachedLink(row: CachedResponseRow): CreateResult['made'][number] {
  const cached = fromColumns(row);
  return 'made' in cached ? (cached.made[0] ?? null) : 'reused';
}

export function limitsOf({ limits, accountQuota, idempotency }: CreateRequest) {
  return { limits, accountQuota, fingerprint: idempotency?.fingerprint ?? null };
}

export function madeLink(link: StoredLink | null): CreatedLink | null {
  if (!link) return null;
  const { code, url, title, createdAt, expiresAt, forwardQuery, tags } = link;
  return { code, url, title, createdAt, expiresAt, forwardQuery, tags };
}
