import type { ConnectingHandlers } from '../connecting/handlers.ts';
import type { Connection } from '../queue/types.ts';
import type { Settings } from '../storage/settings.ts';

/** Where this browser keeps the icons of extensions; Android has no toolbar. */
export type Toolbar = 'chrome' | 'firefox' | 'none';

/** What the page for a new person can do; the wiring says how. */
export interface WelcomeHandlers extends ConnectingHandlers {
  /** Asks the browser for access to a connection's address again. */
  allowAccess: (connection: Connection) => void;
  change: (some: Partial<Settings>) => void;
  /** Asks for the permission, or gives it back. */
  setNotifications: (on: boolean) => void;
  openOptions: () => void;
  open: (url: string) => void;
}
