import type { Connection, Link } from '../../../queue/types.ts';

/**
 * Returns the connections to which links can be copied. If all links come from one connection, that connection is
 * left out.
 */
export function targetsFor(links: Link[], connections: Connection[]): Connection[] {
  const sources = new Set(links.map(({ connectionId }) => connectionId));
  const [only] = sources.size === 1 ? sources : [null];
  return connections.filter(({ id }) => id !== only);
}
