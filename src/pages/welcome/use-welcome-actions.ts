import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { CONNECTING } from '../../components/connection-form/connecting-handlers.ts';
import { allowHostAndResume, type ErrorToastHandle } from '../../components/error-toast.tsx';
import type { SettingsHandlers } from '../../components/hooks/use-settings-and-theme.ts';
import { openTab } from '../../messages/open-page-with-data.ts';
import type { Connection } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';

/** Returns the actions of the welcome page. */
export function useWelcomeActions(
  { change: changeSettings, setNotifications }: SettingsHandlers,
  { change, show }: ErrorToastHandle,
) {
  return useMemo(() => {
    return {
      ...CONNECTING,
      /** Asks the user again for permission to access a connection's address. */
      allowAccess: (connection: Connection): void => void allowHostAndResume(connection, { change, show }),
      /** Turns notifications on by requesting the permission, or turns them off by removing the permission. */
      setNotifications,
      /** Changes the given settings and keeps the others. */
      change: changeSettings,
      /** Retries a request that failed, was delayed, or has an unknown result. */
      retry: (id: string): void => void change({ type: 'retry', id }),
      tryNow: (connectionId: string): void => void change({ type: 'try-now', connectionId }),
      cancel: (ids: string[]): void => void change({ type: 'cancel', ids }),
      openOptions: (): void => void browser.runtime.openOptionsPage(),
      open: (url: string): void => {
        if (isWebUrl(url)) void openTab(url);
      },
    };
  }, [changeSettings, setNotifications, change, show]);
}

/** Kind of the browser's toolbar. Android has none. */
export type Toolbar = 'chrome' | 'firefox' | 'none';

export type WelcomeActions = ReturnType<typeof useWelcomeActions>;
