import type { Imported } from '../messages/protocol.ts';

/**
 * Returns the entries of a file that are not stored yet. A connection to an address that is already connected is not
 * new, because the user would have to enter its key again.
 */
export function newEntries(file: Imported, stored: Imported): Imported {
  const addresses = new Set(stored.connections.map(({ baseUrl }) => baseUrl));
  const connections = unknownEntries(file.connections, stored.connections, ({ id }) => [id]);
  return {
    connections: connections.filter(({ baseUrl }) => !addresses.has(baseUrl)),
    links: unknownEntries(file.links, stored.links, ({ id, shortUrl }) => [id, shortUrl]),
  };
}

/** Returns the entries that have no key in common with a stored entry or with an earlier entry. */
function unknownEntries<T>(entries: T[], stored: T[], keysOf: (entry: T) => string[]): T[] {
  const known = new Set(stored.flatMap(keysOf));
  return entries.filter((entry) => {
    const keys = keysOf(entry);
    const isNew = !keys.some((key) => known.has(key));
    for (const key of keys) known.add(key);
    return isNew;
  });
}
