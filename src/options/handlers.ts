import type { Answer, ConnectingHandlers } from '../connecting/handlers.ts';
import type { Message } from '../messages/messages.ts';
import type { Connection } from '../queue/types.ts';
import type { Settings } from '../storage/settings.ts';

/** What becomes of requests that wait when their connection is forgotten. */
export type WaitingChoice = (Message & { type: 'forget-connection' })['waiting'];

/** What the options page can do; the wiring says how. Called inside the click, so that permission can be asked for. */
export interface OptionsHandlers extends ConnectingHandlers {
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
