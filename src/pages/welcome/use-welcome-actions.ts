import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { type ConnectingHandlers, connectingHandlers } from '../../components/connection-form/use-connection-form.ts';
import { allowHostAndResume, type ErrorToastHandle } from '../../components/error-toast.tsx';
import type { SettingsHandlers } from '../../components/hooks/use-settings-and-theme.ts';
import type { Stored } from '../../components/hooks/use-stored-data.ts';
import { openTab } from '../../messages/open-page.ts';
import type { Connection, VisibleQueues } from '../../queue/types.ts';
import type { Settings } from '../../storage/settings.ts';
import { isWebUrl } from '../../urls/shortenable-url.ts';

/** What the page for a new person can do, over the browser and the background. */
export function useWelcomeActions(
  { value, refresh }: Stored<VisibleQueues>,
  { change: changeSettings, setNotifications }: SettingsHandlers,
  { change, show }: ErrorToastHandle,
): WelcomeActions {
  const connected = value.queues.map(({ connection }) => connection.baseUrl).join('\n');
  return useMemo<WelcomeActions>(
    () => ({
      ...connectingHandlers(connected.split('\n').filter(Boolean), refresh),
      allowAccess: (connection) => void allowHostAndResume(connection, { change, show }),
      change: changeSettings,
      setNotifications,
      openOptions: () => void browser.runtime.openOptionsPage(),
      open: (url) => isWebUrl(url) && void openTab(url),
    }),
    [connected, refresh, changeSettings, setNotifications, change, show],
  );
}

/** Where this browser keeps the icons of extensions; Android has no toolbar. */
export type Toolbar = 'chrome' | 'firefox' | 'none';

/** What the page for a new person can do; the wiring says how. */
export interface WelcomeActions extends ConnectingHandlers {
  /** Asks the browser for access to a connection's address again. */
  allowAccess: (connection: Connection) => void;
  change: (some: Partial<Settings>) => void;
  /** Asks for the permission, or gives it back. */
  setNotifications: (on: boolean) => void;
  openOptions: () => void;
  open: (url: string) => void;
}
