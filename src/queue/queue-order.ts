import type { Request } from './types.ts';

/**
 * Value in milliseconds that is added to the sort key of bulk lists. The value is so large that all single requests
 * come first.
 */
const LISTS_BEHIND_MS = 20 * 365 * 24 * 3_600_000;

/**
 * Returns the sort key of a request. Requests with lower sort keys are sent first. Single requests come before bulk
 * lists.
 */
export function positionOf({ createdAt, groupId }: Pick<Request, 'createdAt' | 'groupId'>): number {
  return createdAt + (groupId === null ? 0 : LISTS_BEHIND_MS);
}

export function sortByQueueOrder(one: Request, other: Request): number {
  return positionOf(one) - positionOf(other);
}
