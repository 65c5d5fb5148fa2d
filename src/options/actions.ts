import type { ConnectionReport, RefusalCode } from '../messages/messages.ts';
import type { Settings } from '../storage/settings.ts';

/** `denied`: the person's answer to the browser's question. `lost`: the background never answered. */
export type Failure = RefusalCode | 'denied' | 'lost';

export type Outcome<T> = { ok: true; value: T } | { ok: false; code: Failure };

/** What the options page can do; the wiring says how. Called inside the click, so that permission can be asked for. */
export interface Actions {
  /** Asks for access to the address's origin, then looks at the service there. Spends no budget. */
  test: (baseUrl: string, apiKey: string | null) => Promise<Outcome<ConnectionReport>>;
  /** The same, and stores the connection, unless the service refuses the key. */
  connect: (baseUrl: string, apiKey: string | null) => Promise<Outcome<ConnectionReport>>;
  forget: () => Promise<Outcome<null>>;
  /** Changes these settings, and no others. */
  change: (some: Partial<Settings>) => void;
  /** Asks for the permission, or gives it back. */
  setNotifications: (on: boolean) => void;
  /** Opens the browser's own page for them. */
  openShortcuts: () => void;
  openLinks: () => void;
}
