import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { allowHostAndResume } from '../../browser/host-permissions.ts';
import type { ErrorToastHandle } from '../../components/error-toast.tsx';
import { openTab, pageAddress } from '../../messages/open-page.ts';
import type { Connection } from '../../queue/types.ts';

/** What the queue page can do, over the browser and the background. */
export function useQueueActions({ change, show }: ErrorToastHandle, isPrivate: boolean): QueueActions {
  return useMemo<QueueActions>(
    () => ({
      setOnHold: (connectionId, isOnHold) => void change({ type: 'set-on-hold', connectionId, isOnHold }),
      cancel: (ids) => void change({ type: 'cancel', ids }),
      retry: (id) => void change({ type: 'retry', id }),
      tryNow: (connectionId) => void change({ type: 'try-now', connectionId }),
      allowAccess: (connection) => void allowHostAndResume(connection, { change, show }),
      openGroup: (id) => void openTab(pageAddress('bulk', isPrivate, `group=${encodeURIComponent(id)}`)),
      openMany: () => void openTab(pageAddress('bulk', isPrivate)),
      openLinks: () => void openTab(pageAddress('links', isPrivate)),
      openOptions: () => void browser.runtime.openOptionsPage(),
      dismiss: () => show(null),
    }),
    [change, show, isPrivate],
  );
}

/** What the queue page can do; `use-queue-handlers.ts` says how. */
export interface QueueActions {
  setOnHold: (connectionId: string, isOnHold: boolean) => void;
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
