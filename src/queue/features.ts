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
