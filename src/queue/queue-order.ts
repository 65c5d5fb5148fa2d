import type { Request } from './types.ts';

/**
 * Time in milliseconds that is added to the sort key of bulk lists, so that single requests come first. No request
 * waits this long.
 */
const LISTS_BEHIND_MS = 20 * 365 * 24 * 3_600_000;

/**
 * Returns the sort key of a request; lower values are sent first. Single requests come first, so that they do not
 * have to wait for a bulk list of a thousand URLs.
 */
export function positionOf({ createdAt, groupId }: Pick<Request, 'createdAt' | 'groupId'>): number {
  return createdAt + (groupId === null ? 0 : LISTS_BEHIND_MS);
}

export function sortByQueueOrder(one: Request, other: Request): number {
  return positionOf(one) - positionOf(other);
}
