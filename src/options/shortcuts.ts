import browser from '../platform/browser.ts';
import { t } from '../ui/strings.ts';
import type { Shortcut } from './shortcuts-section.tsx';

/** The commands and their keys; none where there is no keyboard, as in Firefox for Android. */
export async function readShortcuts(): Promise<Shortcut[]> {
  const commands = (await browser.commands?.getAll()) ?? [];
  return commands.map(({ name, description, shortcut }) => ({
    description: name === '_execute_action' ? t('commandOpenPopup') : (description ?? ''),
    keys: shortcut ?? '',
  }));
}

/** Firefox has a call for its shortcuts page, Chrome an address that an extension may open. */
export async function openShortcuts(): Promise<void> {
  if ('openShortcutSettings' in browser.commands) await browser.commands.openShortcutSettings();
  else await browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
