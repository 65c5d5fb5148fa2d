import { type ConnectionDependencies, Connections } from '../../../src/background/commands/connection-commands.ts';
import { createRouter } from '../../../src/background/message-router.ts';
import { MINTING } from '../queue/support/queue-builders.ts';
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
    randomBytes: MINTING.randomBytes,
    random: () => 0.5,
    permitted: async () => true,
    closeConnections: async () => {},
    changed: () => {},
    ...scripted,
  });
}

/** Creates the router for messages from pages. Its callbacks, such as the one that deletes all data, do nothing. */
export function routerOver(worker: TestWorker, connections = connectionsOver(worker)) {
  const nothing = async () => {};
  const { store, commands } = worker;
  return createRouter({ commands, connections, store, online: nothing, changed: nothing, deleteEverything: nothing });
}
