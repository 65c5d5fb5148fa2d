import type { CachedResponse } from '../../domain/limits/accept-or-refuse-create.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { CreatedLink, CreateRequest, CreateResult } from '../interface/create-request-store.ts';

export interface CachedResponseRow extends CachedResponse {
  draft: string;
  made: string;
}

export function toColumns({ draft, made }: CreateResult): { draft: string; made: string } {
  return { draft, made: JSON.stringify(made) };
}

export function fromColumns({ draft, made }: CachedResponseRow): CreateResult {
  return { draft, made: JSON.parse(made) };
}

/** Returns the cached result for one link of a batch. */
export function cachedLink(row: CachedResponseRow): CreateResult['made'][number] {
  return fromColumns(row).made[0] ?? null;
}

export function limitsOf({ limits, accountQuota, idempotency }: CreateRequest) {
  return { limits, accountQuota, fingerprint: idempotency?.fingerprint ?? null };
}

export function madeLink(link: StoredLink | null): CreatedLink | null {
  if (!link) return null;
  const { code, url, title, createdAt, expiresAt, forwardQuery, tags } = link;
  return { code, url, title, createdAt, expiresAt, forwardQuery, tags };
}
