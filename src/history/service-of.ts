import { FEATURE } from '@terse/contract/features';
import { has } from '../queue/features.ts';
import type { Connection, Link } from '../queue/types.ts';
import { fitsPath } from './ask-service.ts';

/** The connection at whose service a link can be asked for, edited and deleted; null: it is in this browser alone. */
export function serviceOf({ connectionId, shortCode, unlisted }: Link, connections: Connection[]): Connection | null {
  const connection = connections.find(({ id }) => id === connectionId);
  const canBeAsked = connection && !unlisted && fitsPath(shortCode) && has(connection, FEATURE.links);
  return canBeAsked ? connection : null;
}
