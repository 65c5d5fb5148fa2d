import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { allowHostAndResume, type ErrorToastHandle } from '../../components/error-toast.tsx';
import { openTab, pageAddress } from '../../messages/open-page-with-data.ts';
import type { Connection } from '../../queue/types.ts';

/** Returns the actions of the queue page. */
export function useQueueActions({ change, show }: ErrorToastHandle) {
  return useMemo(
    () => ({
      setOnHold: (connectionId: string, isOnHold: boolean): void =>
        void change({ type: 'set-paused', connectionId, isPaused: isOnHold }),
      cancel: (ids: string[]): void => void change({ type: 'cancel', ids }),
      retry: (id: string): void => void change({ type: 'retry', id }),
      tryNow: (connectionId: string): void => void change({ type: 'try-now', connectionId }),
      /** Asks the user for permission to access a server. Must be called in the click handler. */
      allowAccess: (connection: Connection): void => void allowHostAndResume(connection, { change, show }),
      openGroup: (id: string): void => void openTab(pageAddress('bulk', `group=${encodeURIComponent(id)}`)),
      openOptions: (): void => void browser.runtime.openOptionsPage(),
      dismiss: (): void => show(null),
    }),
    [change, show],
  );
}

export type QueueActions = ReturnType<typeof useQueueActions>;
