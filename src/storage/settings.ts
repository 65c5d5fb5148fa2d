import browser from '../browser/browser.ts';
import { EXPIRIES } from '../queue/sending.ts';
import type { Expiry } from '../queue/types.ts';

/**
 * The user's settings, stored in `storage.local`. The user changes them on the options page.
 */
export interface Settings {
  shortenOnOpen: boolean;
  autoCopy: boolean;
  notifications: boolean;
  // The following settings are defaults for new links.
  removeTracking: boolean;
  dropTextFragment: boolean;
  saveTitles: boolean;
  expiry: Expiry;
}

const KEY = 'settings';
export const DEFAULT_SETTINGS: Settings = {
  shortenOnOpen: false,
  autoCopy: true,
  notifications: false,
  removeTracking: false,
  dropTextFragment: false,
  saveTitles: false,
  expiry: 'never',
};

export async function readSettings(): Promise<Settings> {
  const { [KEY]: record } = await browser.storage.local.get(KEY);
  return settingsIn(record);
}

/** Reads the settings for reporting results. If they cannot be read, returns the defaults. */
export function readReporting(): Promise<Pick<Settings, 'autoCopy' | 'notifications'>> {
  return readSettings().catch(() => DEFAULT_SETTINGS);
}

/** Returns the settings in a stored record, with defaults in place of missing and invalid values. */
export function settingsIn(record: unknown): Settings {
  const stored = (typeof record === 'object' && record !== null ? record : {}) as Record<string, unknown>;
  const values = Object.entries(DEFAULT_SETTINGS).map(([name, value]) => {
    return [name, typeof stored[name] === typeof value ? stored[name] : value];
  });
  const settings: Settings = Object.fromEntries(values);
  return EXPIRIES.includes(settings.expiry) ? settings : { ...settings, expiry: DEFAULT_SETTINGS.expiry };
}

/** Changes some settings. A lock keeps the other settings, which another page may be changing at the same time. */
export async function writeSettings(some: Partial<Settings>): Promise<void> {
  await navigator.locks.request('settings', async () => {
    await browser.storage.local.set({ [KEY]: { ...(await readSettings()), ...some } });
  });
}

/** Deletes the settings, after a page has finished changing them. */
export async function deleteSettings(): Promise<void> {
  await navigator.locks.request('settings', () => browser.storage.local.clear());
}

/** Calls `changed` when any page changes the settings. Returns a function that stops watching. */
export function watchSettings(changed: (settings: Settings) => void): () => void {
  const listener = (changes: Record<string, unknown>, area: string) => {
    if (area === 'local' && KEY in changes) void readSettings().then(changed);
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
