import { useMemo } from 'preact/hooks';
import { answerTo, connectingHandlers } from '../connecting/connecting-handlers.ts';
import browser from '../platform/browser.ts';
import type { QueuesView } from '../storage/view.ts';
import { requestAccess } from '../ui/access.ts';
import type { useSettings } from '../ui/use-settings.ts';
import type { Stored } from '../ui/use-stored.ts';
import type { OptionsHandlers } from './handlers.ts';
import { openShortcuts } from './shortcuts.ts';

type SettingsHandlers = Pick<ReturnType<typeof useSettings>, 'change' | 'setNotifications'>;

/** What the options page can do, over the browser and the background. */
export function useOptionsHandlers(
  { value, refresh }: Stored<QueuesView>,
  { change, setNotifications }: SettingsHandlers,
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
      setDefault: (connectionId) => void answerTo({ type: 'set-default-connection', connectionId }).then(refresh),
      // What it ends is noticed by the background, which hears of the grant itself.
      allow: (baseUrl) => void requestAccess(baseUrl),
      change,
      setNotifications,
      openShortcuts: () => void openShortcuts(),
      openLinks: () => void browser.tabs.create({ url: browser.runtime.getURL('src/links/index.html') }),
    };
  }, [change, setNotifications, before, refresh]);
}
