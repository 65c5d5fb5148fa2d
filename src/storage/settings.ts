import browser from '../browser/browser.ts';
import { EXPIRIES, type Expiry } from '../queue/default-expiry.ts';

export const THEMES = ['system', 'light', 'dark'] as const;

/**
 * The user's settings, stored in `storage.local`. The user changes them on the options page.
 */
export interface Settings {
  shortenOnOpen: boolean;
  autoCopy: boolean;
  notifications: boolean;
  theme: (typeof THEMES)[number];
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
  theme: 'system',
  removeTracking: false,
  dropTextFragment: false,
  saveTitles: false,
  expiry: 'never',
};

export async function readSettings(): Promise<Settings> {
  const { [KEY]: record } = await browser.storage.local.get(KEY);
  return settingsIn(record);
}

/**
 * Reads the settings that the background worker needs for reporting results. If they cannot be read, returns the
 * defaults.
 */
export async function readReporting(): Promise<Pick<Settings, 'autoCopy' | 'notifications'>> {
  const found: Record<string, unknown> = await browser.storage.local.get(KEY).catch(() => ({}));
  const { autoCopy, notifications } = (found[KEY] ?? {}) as Partial<Settings>;
  return { autoCopy: autoCopy !== false, notifications: notifications === true };
}

/** Returns the settings in a stored record, with defaults in place of missing and invalid values. */
export function settingsIn(record: unknown): Settings {
  const stored = (typeof record === 'object' && record !== null ? record : {}) as Record<string, unknown>;
  return {
    shortenOnOpen: flag(stored, 'shortenOnOpen'),
    autoCopy: flag(stored, 'autoCopy'),
    notifications: flag(stored, 'notifications'),
    theme: THEMES.find((theme) => theme === stored.theme) ?? DEFAULT_SETTINGS.theme,
    removeTracking: flag(stored, 'removeTracking'),
    dropTextFragment: flag(stored, 'dropTextFragment'),
    saveTitles: flag(stored, 'saveTitles'),
    expiry: EXPIRIES.find((expiry) => expiry === stored.expiry) ?? DEFAULT_SETTINGS.expiry,
  };
}

type Flag = 'shortenOnOpen' | 'autoCopy' | 'notifications' | 'removeTracking' | 'dropTextFragment' | 'saveTitles';

function flag(stored: Record<string, unknown>, name: Flag): boolean {
  const value = stored[name];
  return typeof value === 'boolean' ? value : DEFAULT_SETTINGS[name];
}

export async function writeSettings(settings: Settings): Promise<void> {
  await browser.storage.local.set({ [KEY]: settings });
}

/** Calls `changed` when any page changes the settings. Returns a function that stops watching. */
export function watchSettings(changed: (settings: Settings) => void): () => void {
  const listener = (changes: Record<string, unknown>, area: string) => {
    if (area === 'local' && KEY in changes) void readSettings().then(changed);
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
