import { useMemo } from 'preact/hooks';
import { pageAddress } from '../messages/private-page.ts';
import browser from '../platform/browser.ts';
import { allowAccess } from '../ui/access.ts';
import { openTab } from '../ui/open-tab.ts';
import type { Flash } from '../ui/use-flash.ts';
import type { QueueHandlers } from './handlers.ts';

/** What the queue page can do, over the browser and the background. */
export function useQueueHandlers({ change, show }: Flash, isPrivate: boolean): QueueHandlers {
  return useMemo<QueueHandlers>(
    () => ({
      setOnHold: (connectionId, isOnHold) => void change({ type: 'set-on-hold', connectionId, isOnHold }),
      move: (connectionId, { ids, before }) => void change({ type: 'reorder', connectionId, ids, before }),
      cancel: (ids) => void change({ type: 'cancel', ids }),
      retry: (id) => void change({ type: 'retry', id }),
      tryNow: (connectionId) => void change({ type: 'try-now', connectionId }),
      allowAccess: (connection) => void allowAccess(connection, { change, show }),
      openGroup: (id) => void openTab(pageAddress('many', isPrivate, `group=${encodeURIComponent(id)}`)),
      openMany: () => void openTab(pageAddress('many', isPrivate)),
      openLinks: () => void openTab(pageAddress('links', isPrivate)),
      openOptions: () => void browser.runtime.openOptionsPage(),
      dismiss: () => show(null),
    }),
    [change, show, isPrivate],
  );
}
