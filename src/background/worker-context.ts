import type { Fetch } from '../servers/http.ts';
import type { Store } from '../storage/store.ts';
import type { QueueRunner, RunnerDependencies } from './queue-runner.ts';

/** Functions that the commands of the background worker share. */
export interface WorkerContext extends Pick<RunnerDependencies, 'random' | 'newId' | 'online' | 'permitted' | 'send'> {
  store: Store;
  fetch: Fetch;
  clock: () => number;
  /** Called after a change that may allow or require a send. */
  changed: () => void;
  /** Called after a connection was saved. */
  connected: (connectionId: string) => void;
  /** Waits a moment for the first sync of a new connection. */
  waitForFirstSync: (connectionId: string) => Promise<void>;
  takeTurn: QueueRunner['takeTurn'];
  wait: (ms: number) => Promise<void>;
}
