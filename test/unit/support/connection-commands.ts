import {
  forgetConnection,
  saveConnection,
  setDefaultConnection,
} from '../../../src/background/commands/connection-commands.ts';
import { createRouter } from '../../../src/background/create-background.ts';
import { LinkSync } from '../../../src/background/link-sync.ts';
import type { WorkerContext } from '../../../src/background/worker-context.ts';
import type { TestWorker } from './worker.ts';

export type Connections = ReturnType<typeof connectionsOver>;

/**
 * Returns the connection commands with the background worker's store. By default, the user has granted access to all
 * hosts and all services are healthy.
 */
export function connectionsOver(worker: TestWorker, scripted: Partial<WorkerContext> = {}) {
  const newId = () => 'new';
  const context = { ...worker.context, newId, permitted: async () => true, changed: () => {}, ...scripted };
  return {
    save: (draft: Parameters<typeof saveConnection>[1]) => saveConnection(context, draft),
    setDefault: (id: string) => setDefaultConnection(context, id),
    forget: (id: string) => forgetConnection(context, id),
  };
}

/** Creates the sync of links with the background worker's store. The user has granted access to all hosts. */
export function linkSyncOver({ store }: TestWorker): LinkSync {
  return new LinkSync({ store, fetch, permitted: async () => true });
}

/** Creates the router for messages from pages. By default, the user has granted access to all hosts. */
export function routerOver(worker: TestWorker, scripted: Partial<WorkerContext> = {}, online = async () => {}) {
  const context = { ...worker.context, permitted: async () => true, changed: () => {}, ...scripted };
  return createRouter(context, linkSyncOver(worker), online);
}
