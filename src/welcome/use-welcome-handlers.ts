import { useMemo } from 'preact/hooks';
import { connectingHandlers } from '../connecting/connecting-handlers.ts';
import browser from '../platform/browser.ts';
import type { QueuesView } from '../storage/view.ts';
import { isWebAddress } from '../target/target.ts';
import { allowAccess } from '../ui/access.ts';
import { openTab } from '../ui/open-tab.ts';
import type { Flash } from '../ui/use-flash.ts';
import type { SettingsHandlers } from '../ui/use-settings.ts';
import type { Stored } from '../ui/use-stored.ts';
import type { WelcomeHandlers } from './handlers.ts';

/** What the page for a new person can do, over the browser and the background. */
export function useWelcomeHandlers(
  { value, refresh }: Stored<QueuesView>,
  { change: changeSettings, setNotifications }: SettingsHandlers,
  { change, show }: Flash,
): WelcomeHandlers {
  const connected = value.queues.map(({ connection }) => connection.baseUrl).join('\n');
  return useMemo<WelcomeHandlers>(
    () => ({
      ...connectingHandlers(connected.split('\n').filter(Boolean), refresh),
      allowAccess: (connection) => void allowAccess(connection, { change, show }),
      change: changeSettings,
      setNotifications,
      openOptions: () => void browser.runtime.openOptionsPage(),
      open: (url) => isWebAddress(url) && void openTab(url),
    }),
    [connected, refresh, changeSettings, setNotifications, change, show],
  );
}
