import { useMemo } from 'preact/hooks';
import { allowHostAndResume } from '../../browser/host-permissions.ts';
import {
  type Answer,
  answerTo,
  type ConnectingHandlers,
  connectingHandlers,
} from '../../components/connection-form/use-connection-form.ts';
import type { ErrorToastHandle } from '../../components/error-toast.tsx';
import type { SettingsHandlers } from '../../components/hooks/use-settings-and-theme.ts';
import type { Stored } from '../../components/hooks/use-stored-data.ts';
import { openTab, pageAddress } from '../../messages/open-page.ts';
import type { Message } from '../../messages/protocol.ts';
import type { Connection } from '../../queue/types.ts';
import type { VisibleQueues } from '../../storage/link-queries.ts';
import type { Settings } from '../../storage/settings.ts';
import { openShortcuts } from './shortcuts-section.tsx';

/** Returns the actions of the options page. */
export function useOptionsActions(
  { value, refresh }: Stored<VisibleQueues>,
  { change: changeSettings, setNotifications }: SettingsHandlers,
  { change, show }: ErrorToastHandle,
): OptionsActions {
  const before = value.queues.map(({ connection }) => connection.baseUrl).join('\n');
  return useMemo<OptionsActions>(() => {
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
      allowAccess: (connection) => void allowHostAndResume(connection, { change, show }),
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

/** Choice for pending requests when their connection is removed. */
export type WaitingChoice = (Message & { type: 'forget-connection' })['waiting'];

/** Actions of the options page. They must be called within the click, so that they can ask for permissions. */
export interface OptionsActions extends ConnectingHandlers {
  forget: (connectionId: string, waiting: WaitingChoice) => Promise<Answer<null>>;
  setDefault: (connectionId: string) => void;
  /** Asks the browser for access to a connection's address again. */
  allowAccess: (connection: Connection) => void;
  /** Changes only these settings. */
  change: (some: Partial<Settings>) => void;
  /** Requests the notification permission, or removes it. */
  setNotifications: (on: boolean) => void;
  /** Opens the browser's page for keyboard shortcuts. */
  openShortcuts: () => void;
  openLinks: () => void;
  openQueue: () => void;
  /** Shows an error over the page. */
  tell: (problem: string) => void;
  /** Removes the error message. */
  dismiss: () => void;
}
