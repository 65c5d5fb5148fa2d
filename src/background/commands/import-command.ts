import type { Added, Imported } from '../../messages/protocol.ts';
import { newQueue } from '../../queue/add-replace-delete-connection.ts';
import type { Store } from '../../storage/store.ts';

/**
 * Stores the entries of an imported file that do not exist yet. An imported connection is blocked until the user enters
 * its API key.
 */
export function importEntries(store: Store, { connections, links }: Imported): Promise<Added> {
  const lookup = { ids: links.map(({ id }) => id), urls: links.map(({ shortUrl }) => shortUrl) };
  return store.updateAll((all, _now, knownLinks) => {
    const here = new Set(all.queues.flatMap(({ connection: { id, baseUrl } }) => [id, baseUrl]));
    const known = new Set(knownLinks.flatMap(({ id, shortUrl }) => [id, shortUrl]));
    const added = connections.filter(({ id, baseUrl }) => !here.has(id) && !here.has(baseUrl)).map(newQueue);
    const blocked = added.map((queue) => ({ ...queue, state: { ...queue.state, blocked: 'key_missing' as const } }));
    const newLinks = links.filter(({ id, shortUrl }) => !known.has(id) && !known.has(shortUrl));
    return {
      all: { ...all, queues: [...all.queues, ...blocked] },
      links: newLinks,
      result: { connections: added.length, links: newLinks.length },
    };
  }, lookup);
}
