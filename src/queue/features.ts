import { FEATURE } from '@terse/contract/features';
import type { Connection } from './types.ts';

/** Whether the service of a connection said that it has a feature. */
export function has(connection: Connection, feature: string): boolean {
  return connection.service?.features.includes(feature) ?? false;
}

/** Whether the service, asked again with the same key, answers the same instead of making another link. */
export function isIdempotent(connection: Connection): boolean {
  return has(connection, FEATURE.idempotency);
}

/**
 * Whether requests may go together. Only where each item has a key of its own: a batch that fails because of one of its
 * items can be taken apart then, and no item is made twice.
 */
export function takesBatches(connection: Connection): boolean {
  return has(connection, FEATURE.batch) && has(connection, FEATURE.itemIdempotency);
}
