import type { CachedResponse } from '../../domain/limits/accept-or-refuse-create.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { CreatedLink, CreateRequest, CreateResult, LegacyResponse } from '../interface/create-request-store.ts';

/** A row of `kept_answers`. */
export interface CachedResponseRow extends CachedResponse, LegacyResponse {
  made: string | null;
}

/** Returns the columns of a cached response. Migration 9 explains the unused ones. */
export function toColumns({ draft, made }: CreateResult): LegacyResponse & { made: string } {
  return { status: 0, body: draft, location: null, made: JSON.stringify(made) };
}

/** Reads the cached response of a row. */
export function fromColumns({ status, body, location, made }: CachedResponseRow): CreateResult | LegacyResponse {
  return made === null ? { status, body, location } : { draft: body, made: JSON.parse(made) };
}

/** Returns the cached result of a batch item. A response of version 0.1 is never the result of an item. */
export function cachedLink(row: CachedResponseRow): CreateResult['made'][number] {
  const cached = fromColumns(row);
  return 'made' in cached ? (cached.made[0] ?? null) : 'reused';
}

/** Returns the fields of a request that the decision needs. */
export function limitsOf({ limits, accountQuota, idempotency }: CreateRequest) {
  return { limits, accountQuota, fingerprint: idempotency?.fingerprint ?? null };
}

/** Returns the fields of a link that a response needs. */
export function madeLink(link: StoredLink | null): CreatedLink | null {
  if (!link) return null;
  const { code, url, title, createdAt, expiresAt } = link;
  return { code, url, title, createdAt, expiresAt };
}
