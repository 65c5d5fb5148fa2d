import { type MessageKey, t } from './strings.ts';
import { paintTheme } from './theme.ts';

/** Gives a page its language, direction, theme and title; returns where to render. */
export function openPage(title: MessageKey): HTMLElement {
  const root = document.documentElement;
  root.lang = t('languageTag');
  // The direction of the strings, not of the browser: they are not there in every language the browser speaks.
  root.dir = t('textDirection');
  document.title = t(title);
  paintTheme();
  return document.getElementById('app') as HTMLElement;
}
