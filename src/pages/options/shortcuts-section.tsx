import browser from '../../browser/browser.ts';
import { t } from '../../format/i18n.ts';

/** A command of the manifest and the keys it has now; empty where it has none. */
export interface Shortcut {
  description: string;
  keys: string;
}

/** The keys there are, and the way to the browser's own page that changes them. */
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
