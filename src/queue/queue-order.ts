import type { Request } from './types.ts';

/** Distance in milliseconds by which bulk lists are sorted behind single requests. It exceeds the lifetime of any request. */
const LISTS_BEHIND_MS = 20 * 365 * 24 * 3_600_000;

/**
 * Returns the sort key of a request: lower values are sent first. Single requests come first, oldest first. Bulk lists follow,
 * so that shortening one page does not wait for a list of a thousand URLs.
 */
export function positionOf({ createdAt, groupId }: Pick<Request, 'createdAt' | 'groupId'>): number {
  return createdAt + (groupId === null ? 0 : LISTS_BEHIND_MS);
}

/** Compares two requests by the order in which they are sent. */
export function sortByQueueOrder(one: Request, other: Request): number {
  return positionOf(one) - positionOf(other);
}
