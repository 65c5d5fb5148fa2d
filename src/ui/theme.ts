import type { Settings } from '../storage/settings.ts';

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
