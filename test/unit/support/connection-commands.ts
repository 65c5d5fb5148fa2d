import { type ConnectionDependencies, Connections } from '../../../src/background/commands/connection-commands.ts';
import { MINTING } from '../queue/support/queue-builders.ts';
import type { TestWorker } from './worker.ts';

/** The connections of a background, by its own store and runner; whatever a test does not script is allowed and well. */
export function connectionsOver(worker: TestWorker, scripted: Partial<ConnectionDependencies> = {}): Connections {
  return new Connections({
    store: worker.store,
    fetch,
    newId: () => 'new',
    randomBytes: MINTING.randomBytes,
    random: () => 0.5,
    permitted: async () => true,
    closeConnections: async () => {},
    recovered: () => worker.runner.recovered(),
    changed: () => {},
    ...scripted,
  });
}
