import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { readSettings, type Settings, watchSettings, writeSettings } from '../../storage/settings.ts';

/** The settings, and how to change some of them: the others stay as they are stored by then. */
export function useSettings(first: Settings) {
  const [settings, setSettings] = useState(first);
  const written = useRef(Promise.resolve());
  useEffect(() => watchSettings(setSettings), []);

  /** Shows what is stored: a change that came to nothing leaves no switch where it was put. */
  const takeBack = useCallback(() => readSettings().then(setSettings, () => undefined), []);

  const change = useCallback(
    (some: Partial<Settings>) => {
      setSettings((shown) => ({ ...shown, ...some }));
      // One after the other: each is made of what the one before has stored.
      const write = async () => writeSettings({ ...(await readSettings()), ...some });
      written.current = written.current.then(write).catch(takeBack);
    },
    [takeBack],
  );

  /** Asks for the permission, or gives it back. */
  const setNotifications = useCallback(
    (on: boolean) => {
      const permissions = { permissions: ['notifications' as const] };
      const done = on ? browser.permissions.request(permissions) : browser.permissions.remove(permissions);
      // A question that could not be asked changes nothing.
      void done.then((agreed) => change({ notifications: on && agreed }), takeBack);
    },
    [change, takeBack],
  );

  return { settings, change, setNotifications };
}

/** How a page's handlers change settings. */
export type SettingsHandlers = Pick<ReturnType<typeof useSettings>, 'change' | 'setNotifications'>;

const KEY = 'theme';

/**
 * Paints the page in the theme last chosen, before anything is read that takes time: settings arrive after the first
 * frame, so a copy of this one stands in `localStorage`, which answers at once.
 */
export function paintTheme(): void {
  const theme = localStorage.getItem(KEY);
  if (theme) document.documentElement.dataset.theme = theme;
}

/** Follows the setting, and keeps the copy. */
export function setTheme(theme: Settings['theme']): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
}
