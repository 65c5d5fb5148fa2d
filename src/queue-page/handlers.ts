import type { Connection } from '../queue/types.ts';
import type { Move } from './blocks.ts';

/** What the queue page can do; `use-queue-handlers.ts` says how. */
export interface QueueHandlers {
  setOnHold: (connectionId: string, isOnHold: boolean) => void;
  move: (connectionId: string, move: Move) => void;
  cancel: (ids: string[]) => void;
  retry: (id: string) => void;
  tryNow: (connectionId: string) => void;
  /** Asks the browser for access to a service, inside the click. */
  allowAccess: (connection: Connection) => void;
  openGroup: (id: string) => void;
  openMany: () => void;
  openLinks: () => void;
  openOptions: () => void;
  dismiss: () => void;
}
