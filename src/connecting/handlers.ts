import type { ConnectionReport, RefusalCode } from '../messages/messages.ts';

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

/** What the form of a connection can do. Called inside the click, so that permission can be asked for. */
export interface ConnectingHandlers {
  /**
   * Asks for access to the address's origin, then probes the service there. Spends no budget.
   *
   * @param granted called once the user has allowed the access
   */
  test: (input: ConnectionInput, granted: () => void) => Promise<Answer<ConnectionReport>>;
  /** The same, and stores the connection, unless the service refuses the key. */
  save: (input: ConnectionInput, granted: () => void) => Promise<Answer<ConnectionReport>>;
}
