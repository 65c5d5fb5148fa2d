import { newEntries } from '../../import-export/new-entries.ts';
import type { Added, Imported } from '../../messages/protocol.ts';
import { newQueue } from '../../queue/user-actions.ts';
import type { Store } from '../../storage/store.ts';

/**
 * Stores the entries of an imported file that do not exist yet. An imported connection is blocked until the user enters
 * its API key, and comes after the existing connections.
 */
export function importEntries(store: Store, file: Imported): Promise<Added> {
  const lookup = { ids: file.links.map(({ id }) => id), urls: file.links.map(({ shortUrl }) => shortUrl) };
  return store.updateAll((all, _now, knownLinks) => {
    const stored = all.queues.map(({ connection }) => connection);
    const { connections, links } = newEntries(file, { connections: stored, links: knownLinks });
    const lowest = Math.min(1, ...stored.map(({ preferredAt }) => preferredAt));
    const added = connections.map((connection, index) => {
      const queue = newQueue({ ...connection, preferredAt: lowest - 1 - index });
      return { ...queue, state: { ...queue.state, blocked: 'key_missing' as const } };
    });
    return {
      all: { ...all, queues: [...all.queues, ...added] },
      links,
      result: { connections: connections.length, links: links.length },
    };
  }, lookup);
}
