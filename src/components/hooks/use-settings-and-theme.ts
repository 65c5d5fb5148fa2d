import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { readSettings, type Settings, watchSettings, writeSettings } from '../../storage/settings.ts';

/**
 * Holds the settings, and functions that change them. Changing one setting leaves the stored values of the other
 * settings unchanged.
 */
export function useSettings(first: Settings) {
  const [settings, setSettings] = useState(first);
  const written = useRef(Promise.resolve());
  useEffect(() => watchSettings(setSettings), []);

  /** Shows the stored settings again after a change has failed. */
  const takeBack = useCallback(() => readSettings().then(setSettings, () => undefined), []);

  const change = useCallback(
    (some: Partial<Settings>) => {
      setSettings((shown) => ({ ...shown, ...some }));
      // Writes run one after the other, because each write starts from the settings that the previous one stored.
      const write = async () => writeSettings({ ...(await readSettings()), ...some });
      written.current = written.current.then(write).catch(takeBack);
    },
    [takeBack],
  );

  /** Turns notifications on or off by requesting or removing the browser permission. */
  const setNotifications = useCallback(
    (on: boolean) => {
      const permissions = { permissions: ['notifications' as const] };
      const done = on ? browser.permissions.request(permissions) : browser.permissions.remove(permissions);
      // If the browser reports an error, the setting stays unchanged.
      void done.then((agreed) => change({ notifications: on && agreed }), takeBack);
    },
    [change, takeBack],
  );

  return { settings, change, setNotifications };
}

export type SettingsHandlers = Pick<ReturnType<typeof useSettings>, 'change' | 'setNotifications'>;

const KEY = 'theme';

/**
 * Applies the last used theme before the first paint. The settings are loaded later, so the theme is read from a copy
 * in `localStorage`.
 */
export function paintTheme(): void {
  const theme = localStorage.getItem(KEY);
  if (theme) document.documentElement.dataset.theme = theme;
}

/** Applies a theme and stores a copy of it in `localStorage`. */
export function setTheme(theme: Settings['theme']): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
}
