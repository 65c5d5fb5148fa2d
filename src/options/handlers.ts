import type { ConnectionReport, Message, RefusalCode } from '../messages/messages.ts';
import type { Settings } from '../storage/settings.ts';

/** `denied`: the person's answer to the browser's question. `lost`: the background never answered. */
export type Failure = RefusalCode | 'denied' | 'lost';

export type Answer<T> = { ok: true; value: T } | { ok: false; code: Failure };

/** A connection as it stands in a form. A null id: a new one. A null key: the stored one stays. */
export interface ConnectionInput {
  connectionId: string | null;
  name: string;
  baseUrl: string;
  apiKey: string | null;
}

/** What becomes of requests that wait when their connection is forgotten. */
export type WaitingChoice = (Message & { type: 'forget-connection' })['waiting'];

/** What the options page can do; the wiring says how. Called inside the click, so that permission can be asked for. */
export interface OptionsHandlers {
  /** Asks for access to the address's origin, then probes the service there. Spends no budget. */
  test: (input: ConnectionInput) => Promise<Answer<ConnectionReport>>;
  /** The same, and stores the connection, unless the service refuses the key. */
  save: (input: ConnectionInput) => Promise<Answer<ConnectionReport>>;
  forget: (connectionId: string, waiting: WaitingChoice) => Promise<Answer<null>>;
  setDefault: (connectionId: string) => void;
  /** Asks the browser for access to a connection's address again. */
  allow: (baseUrl: string) => void;
  /** Changes these settings, and no others. */
  change: (some: Partial<Settings>) => void;
  /** Asks for the permission, or gives it back. */
  setNotifications: (on: boolean) => void;
  /** Opens the browser's own page for them. */
  openShortcuts: () => void;
  openLinks: () => void;
}
