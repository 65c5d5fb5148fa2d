import browser from 'webextension-polyfill';
import * as z from 'zod/mini';

/** The person's choices. Not secret, and small: kept in `storage.local`, written by the options page alone. */
const Settings = z.object({
  shortenOnOpen: z._default(z.boolean(), false),
  autoCopy: z._default(z.boolean(), true),
  notifications: z._default(z.boolean(), false),
  theme: z._default(z.enum(['system', 'light', 'dark']), 'system'),
});
export type Settings = z.infer<typeof Settings>;

const KEY = 'settings';
export const DEFAULT_SETTINGS: Settings = Settings.parse({});

/** Reads the settings; a record that does not parse (an older or broken one) falls back to the defaults. */
export async function readSettings(): Promise<Settings> {
  const stored = await browser.storage.local.get(KEY);
  const parsed = Settings.safeParse(stored[KEY] ?? {});
  return parsed.success ? parsed.data : DEFAULT_SETTINGS;
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
