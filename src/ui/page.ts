import browser from 'webextension-polyfill';
import { type MessageKey, t } from './strings.ts';
import { paintTheme } from './theme.ts';

/** Gives a page its language, direction, theme and title; returns where to render. */
export function openPage(title: MessageKey): HTMLElement {
  const root = document.documentElement;
  root.lang = t('languageTag');
  root.dir = browser.i18n.getMessage('@@bidi_dir');
  document.title = t(title);
  paintTheme();
  return document.getElementById('app') as HTMLElement;
}
