import browser from '../browser/browser.ts';
import { EXPIRIES, type Expiry } from '../queue/default-expiry.ts';

export const THEMES = ['system', 'light', 'dark'] as const;

/** The person's choices. Not secret, and small: kept in `storage.local`, written by the options page alone. */
export interface Settings {
  shortenOnOpen: boolean;
  autoCopy: boolean;
  notifications: boolean;
  theme: (typeof THEMES)[number];
  /** Link defaults: they apply to every link for which the user chooses no options in the form. */
  removeTracking: boolean;
  dropTextFragment: boolean;
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
  expiry: 'never',
};

export async function readSettings(): Promise<Settings> {
  const { [KEY]: record } = await browser.storage.local.get(KEY);
  return settingsIn(record);
}

/**
 * What the background asks for alone: it starts dozens of times a day, and carries nothing for the rest. Where they cannot be
 * read, they are the defaults.
 */
export async function readReporting(): Promise<Pick<Settings, 'autoCopy' | 'notifications'>> {
  const found: Record<string, unknown> = await browser.storage.local.get(KEY).catch(() => ({}));
  const { autoCopy, notifications } = (found[KEY] ?? {}) as Partial<Settings>;
  return { autoCopy: autoCopy !== false, notifications: notifications === true };
}

/** The settings in a record; what an older or broken one lacks, or has of another kind, is the default. */
export function settingsIn(record: unknown): Settings {
  const kept = (typeof record === 'object' && record !== null ? record : {}) as Record<string, unknown>;
  return {
    shortenOnOpen: flag(kept, 'shortenOnOpen'),
    autoCopy: flag(kept, 'autoCopy'),
    notifications: flag(kept, 'notifications'),
    theme: THEMES.find((theme) => theme === kept.theme) ?? DEFAULT_SETTINGS.theme,
    removeTracking: flag(kept, 'removeTracking'),
    dropTextFragment: flag(kept, 'dropTextFragment'),
    expiry: EXPIRIES.find((expiry) => expiry === kept.expiry) ?? DEFAULT_SETTINGS.expiry,
  };
}

type Flag = 'shortenOnOpen' | 'autoCopy' | 'notifications' | 'removeTracking' | 'dropTextFragment';

function flag(kept: Record<string, unknown>, name: Flag): boolean {
  const value = kept[name];
  return typeof value === 'boolean' ? value : DEFAULT_SETTINGS[name];
}

export async function writeSettings(settings: Settings): Promise<void> {
  await browser.storage.local.set({ [KEY]: settings });
}

/** Calls back on every change, from whichever page. Returns how to stop. */
export function watchSettings(changed: (settings: Settings) => void): () => void {
  const listener = (changes: Record<string, unknown>, area: string) => {
    if (area === 'local' && KEY in changes) void readSettings().then(changed);
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
