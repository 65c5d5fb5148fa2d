import { useMemo } from 'preact/hooks';
import { answerTo, connectingHandlers } from '../connecting/connecting-handlers.ts';
import { pageAddress } from '../messages/private-page.ts';
import type { QueuesView } from '../storage/view.ts';
import { allowAccess } from '../ui/access.ts';
import { openTab } from '../ui/open-tab.ts';
import type { Flash } from '../ui/use-flash.ts';
import type { SettingsHandlers } from '../ui/use-settings.ts';
import type { Stored } from '../ui/use-stored.ts';
import type { OptionsHandlers } from './handlers.ts';
import { openShortcuts } from './shortcuts.ts';

/** What the options page can do, over the browser and the background. */
export function useOptionsHandlers(
  { value, refresh }: Stored<QueuesView>,
  { change: changeSettings, setNotifications }: SettingsHandlers,
  { change, show }: Flash,
): OptionsHandlers {
  const before = value.queues.map(({ connection }) => connection.baseUrl).join('\n');
  return useMemo<OptionsHandlers>(() => {
    const connected = before.split('\n').filter(Boolean);
    const { test, save, giveBackUnused } = connectingHandlers(connected, refresh);
    return {
      test,
      save,
      forget: async (connectionId, waiting) => {
        const answer = await answerTo({ type: 'forget-connection', connectionId, waiting });
        await giveBackUnused(connected);
        return answer;
      },
      setDefault: (connectionId) => void change({ type: 'set-default-connection', connectionId }),
      allowAccess: (connection) => void allowAccess(connection, { change, show }),
      change: changeSettings,
      setNotifications,
      openShortcuts: () => void openShortcuts(),
      openLinks: () => void openTab(pageAddress('links', false)),
      openQueue: () => void openTab(pageAddress('queue-page', false)),
      tell: (problem) => show({ text: problem }),
      dismiss: () => show(null),
    };
  }, [changeSettings, setNotifications, change, show, before, refresh]);
}
