import { useMemo } from 'preact/hooks';
import { answerTo, connectingHandlers } from '../../components/connection-form/connecting-handlers.ts';
import { allowHostAndResume, type ErrorToastHandle } from '../../components/error-toast.tsx';
import type { SettingsHandlers } from '../../components/hooks/use-settings-and-theme.ts';
import type { Stored } from '../../components/hooks/use-stored-data.ts';
import { openTab, pageAddress } from '../../messages/open-page-with-data.ts';
import type { Connection, VisibleQueues } from '../../queue/types.ts';
import { openShortcuts } from './shortcuts-section.tsx';

/** Returns the actions of the options page. */
export function useOptionsActions(
  { value, refresh }: Stored<VisibleQueues>,
  { change: changeSettings, setNotifications }: SettingsHandlers,
  { change, show }: ErrorToastHandle,
) {
  const before = value.queues.map(({ connection }) => connection.baseUrl).join('\n');
  return useMemo(() => {
    const connected = before.split('\n').filter(Boolean);
    const { test, save, giveBackUnused } = connectingHandlers(connected, refresh);
    return {
      test,
      save,
      forget: async (connectionId: string) => {
        const answer = await answerTo({ type: 'forget-connection', connectionId });
        await giveBackUnused(connected);
        return answer;
      },
      setDefault: (connectionId: string): void => void change({ type: 'set-default-connection', connectionId }),
      /** Asks the user again for permission to access a connection's address. */
      allowAccess: (connection: Connection): void => void allowHostAndResume(connection, { change, show }),
      /** Changes the given settings and keeps the others. */
      change: changeSettings,
      /** Turns notifications on by requesting the permission, or turns them off by removing the permission. */
      setNotifications,
      openShortcuts: (): void => void openShortcuts(),
      openQueue: (): void => void openTab(pageAddress('queue')),
      /** Shows an error over the page. */
      tell: (problem: string): void => show({ text: problem }),
      dismiss: (): void => show(null),
    };
  }, [changeSettings, setNotifications, change, show, before, refresh]);
}

/** Actions of the options page. They must be called in the click handler, so that they can request permissions. */
export type OptionsActions = ReturnType<typeof useOptionsActions>;
