import type { Connection, Link } from '../queue/types.ts';
import { listingConnection } from '../storage/listed-links.ts';
import { fitsPath } from './ask-service.ts';

/** The connection at whose service a link can be asked for, edited and deleted; null: it is in this browser alone. */
export function serviceOf(link: Link, connections: Connection[]): Connection | null {
  return fitsPath(link.shortCode) ? listingConnection(link, connections) : null;
}
