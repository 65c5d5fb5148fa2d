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

/** What the options page can do, over the browser and the background. */
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
      openQueue: () => void openTab(pageAddress('queue', false)),
      tell: (problem) => show({ text: problem }),
      dismiss: () => show(null),
    };
  }, [changeSettings, setNotifications, change, show, before, refresh]);
}

/** What becomes of requests that wait when their connection is forgotten. */
export type WaitingChoice = (Message & { type: 'forget-connection' })['waiting'];

/** What the options page can do; the wiring says how. Called inside the click, so that permission can be asked for. */
export interface OptionsActions extends ConnectingHandlers {
  forget: (connectionId: string, waiting: WaitingChoice) => Promise<Answer<null>>;
  setDefault: (connectionId: string) => void;
  /** Asks the browser for access to a connection's address again. */
  allowAccess: (connection: Connection) => void;
  /** Changes these settings, and no others. */
  change: (some: Partial<Settings>) => void;
  /** Asks for the permission, or gives it back. */
  setNotifications: (on: boolean) => void;
  /** Opens the browser's own page for them. */
  openShortcuts: () => void;
  openLinks: () => void;
  openQueue: () => void;
  /** Says over the page what went wrong. */
  tell: (problem: string) => void;
  /** Puts away the sentence that says what went wrong. */
  dismiss: () => void;
}
