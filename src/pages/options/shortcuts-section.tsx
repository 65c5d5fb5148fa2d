import browser from '../../browser/browser.ts';
import { t } from '../../format/i18n.ts';

/** A command of the manifest and its keys; empty if it has none. */
export interface Shortcut {
  description: string;
  keys: string;
}

/** List of keyboard shortcuts, with a button that opens the browser's page for changing them. */
export function ShortcutsSection({ shortcuts, change }: { shortcuts: Shortcut[]; change: () => void }) {
  return (
    <section class="card" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{t('shortcuts')}</h2>
      <dl class="shortcuts">
        {shortcuts.map(({ description, keys }) => (
          <div key={description} class="shortcut">
            <dt>{description}</dt>
            <dd>{keys ? <kbd>{keys}</kbd> : <span class="help">{t('shortcutNone')}</span>}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={change}>
        {t('changeShortcuts')}
      </button>
    </section>
  );
}

/** Returns the commands and their keys. Empty without a keyboard, as in Firefox for Android. */
export async function readShortcuts(): Promise<Shortcut[]> {
  const commands = (await browser.commands?.getAll()) ?? [];
  return commands.map(({ name, description, shortcut }) => ({
    description: name === '_execute_action' ? t('commandOpenPopup') : (description ?? ''),
    keys: shortcut ?? '',
  }));
}

/** Firefox has a function that opens its shortcuts page. Chrome has a URL that extensions may open. */
export async function openShortcuts(): Promise<void> {
  if ('openShortcutSettings' in browser.commands) await browser.commands.openShortcutSettings();
  else await browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
