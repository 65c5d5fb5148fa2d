import type { CachedResponse } from '../../domain/limits/accept-or-refuse-create.ts';
import type { CreateRequest, MadeLink, Result, StoredLink, WordedAnswer } from '../interface/store.ts';

/** A row of `kept_answers`. */
export interface CachedResponseRow extends CachedResponse, WordedAnswer {
  made: string | null;
}

/** The columns of a result that is kept; see the migration `budgets` for those that say nothing. */
export function toColumns({ draft, made }: Result): WordedAnswer & { made: string } {
  return { status: 0, body: draft, location: null, made: JSON.stringify(made) };
}

/** What a row keeps. */
export function fromColumns({ status, body, location, made }: CachedResponseRow): Result | WordedAnswer {
  return made === null ? { status, body, location } : { draft: body, made: JSON.parse(made) };
}

/** What the key of a single link keeps. An answer in its own words, as version 0.1 kept them, is none of a batch's. */
export function linkOfKept(row: CachedResponseRow): Result['made'][number] {
  const kept = fromColumns(row);
  return 'made' in kept ? (kept.made[0] ?? null) : 'reused';
}

/** What the rule of submissions needs of one. */
export function orderOf({ limits, accountQuota, idempotency }: CreateRequest) {
  return { limits, accountQuota, fingerprint: idempotency?.fingerprint ?? null };
}

/** As much of a link as a result tells. */
export function madeLink(link: StoredLink | null): MadeLink | null {
  if (!link) return null;
  const { code, url, title, createdAt, expiresAt } = link;
  return { code, url, title, createdAt, expiresAt };
}
