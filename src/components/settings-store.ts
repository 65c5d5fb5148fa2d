import { signal } from '@preact/signals';
import browser from '../browser/browser.ts';
import { readSettings, type Settings, watchSettings, writeSettings } from '../storage/settings.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

/** Holds the settings, and functions that change them. The settings follow the changes of other pages. */
export function createSettingsStore(first: Settings) {
  const settings = signal(first);

  /** Shows the stored settings again after a change has failed. */
  async function takeBack(): Promise<void> {
    settings.value = await readSettings().catch(() => settings.value);
  }

  function change(some: Partial<Settings>): void {
    settings.value = { ...settings.value, ...some };
    writeSettings(some).catch(takeBack);
  }

  /** Turns notifications on or off by requesting or removing the browser permission. */
  function setNotifications(on: boolean): void {
    const permissions = { permissions: ['notifications' as const] };
    const done = on ? browser.permissions.request(permissions) : browser.permissions.remove(permissions);
    // If the browser reports an error, the setting stays unchanged.
    void done.then((agreed) => change({ notifications: on && agreed }), takeBack);
  }

  /** Follows the stored settings. Returns a function that stops this. */
  function start(): () => void {
    return watchSettings((stored) => {
      settings.value = stored;
    });
  }

  return { settings, change, setNotifications, start };
}
