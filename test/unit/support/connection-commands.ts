import { type ConnectionDependencies, Connections } from '../../../src/background/commands/connection-commands.ts';
import { createRouter } from '../../../src/background/create-background.ts';
import { LinkSync } from '../../../src/background/link-sync.ts';
import type { TestWorker } from './worker.ts';

/**
 * Creates the connection commands with the background worker's store. By default, the user has granted access to all
 * hosts and all services are healthy.
 */
export function connectionsOver(worker: TestWorker, scripted: Partial<ConnectionDependencies> = {}): Connections {
  return new Connections({
    store: worker.store,
    fetch,
    newId: () => 'new',
    random: () => 0.5,
    permitted: async () => true,
    changed: () => {},
    connected: () => {},
    ...scripted,
  });
}

/** Creates the sync of links with the background worker's store. The user has granted access to all hosts. */
export function linkSyncOver({ store }: TestWorker): LinkSync {
  return new LinkSync({ store, fetch, permitted: async () => true });
}

/** Creates the router for messages from pages. Its callbacks, such as the one that deletes all data, do nothing. */
export function routerOver(
  worker: TestWorker,
  connections = connectionsOver(worker),
  permitted: (baseUrl: string) => Promise<boolean> = async () => true,
) {
  const nothing = async () => {};
  const { store, commands, shortenPrivately } = worker;
  const linkSync = linkSyncOver(worker);
  const rest = { fetch, permitted, online: nothing, changed: nothing };
  return createRouter({ commands, shortenPrivately, connections, linkSync, store, ...rest });
}
