import type { ConnectionReport, RefusalCode } from '../messages/messages.ts';
import type { Settings } from '../storage/settings.ts';

/** What came of a wish of this page: `denied` by the person's answer to the browser, `lost` with the background. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; code: RefusalCode | 'denied' | 'lost' };

/** What the options page can do; the wiring says how. Called inside the click, so that permission can be asked for. */
export interface Actions {
  /** Asks for access to the address's origin, then looks at the service there. Spends no budget. */
  test: (baseUrl: string, apiKey: string | null) => Promise<Outcome<ConnectionReport>>;
  /** Stores the connection. */
  connect: (baseUrl: string, apiKey: string | null) => Promise<Outcome<null>>;
  forget: () => Promise<Outcome<null>>;
  change: (settings: Settings) => void;
  /** Asks for the permission, or gives it back. */
  setNotifications: (on: boolean) => void;
  /** Null where the browser has no page for it that can be opened. */
  openShortcuts: () => void;
  openLinks: () => void;
}
