import browser from '../../browser/browser.ts';
import { t } from '../../format/i18n.ts';
import { Section } from './sections-and-navigation.tsx';

/** A command from the manifest, with its keyboard shortcut. The shortcut is empty if the command has none. */
export interface Shortcut {
  description: string;
  keys: string;
}

interface ShortcutsSectionProps {
  shortcuts: Shortcut[];
  /** Keyword that the user types in the address bar to activate Terse. */
  keyword: string;
  /** Opens the browser's page for changing shortcuts. */
  change: () => void;
}

/** List of keyboard shortcuts, with a button that opens the browser's page for changing them. */
export function ShortcutsSection({ shortcuts, keyword, change }: ShortcutsSectionProps) {
  return (
    <Section id="shortcuts">
      <div class="card setting-rows">
        <dl>
          {shortcuts.map(({ description, keys }) => (
            <div key={description} class="setting">
              <dt>{description}</dt>
              <dd>{keys ? <kbd>{keys}</kbd> : <span class="help">{t('shortcutNone')}</span>}</dd>
            </div>
          ))}
          <div class="setting">
            <dt>
              {t('addressBar')}
              <span class="help">{t('addressBarHelp')}</span>
            </dt>
            <dd>
              <kbd>{keyword}</kbd>
            </dd>
          </div>
        </dl>
        <div class="setting">
          <button type="button" class="text-button" onClick={change}>
            {t('changeShortcuts')}
          </button>
        </div>
      </div>
    </Section>
  );
}

/**
 * Returns the commands and their keyboard shortcuts. Empty if the browser supports no shortcuts, as in Firefox for
 * Android.
 */
export async function readShortcuts(): Promise<Shortcut[]> {
  const commands = (await browser.commands?.getAll()) ?? [];
  return commands.map(({ name, description, shortcut }) => ({
    description: name === '_execute_action' ? t('commandOpenPopup') : (description ?? ''),
    keys: shortcut ?? '',
  }));
}

/**
 * Opens the browser's page for changing shortcuts. Firefox has a function that opens this page. In Chrome, extensions
 * can open the page by its URL.
 */
export async function openShortcuts(): Promise<void> {
  if ('openShortcutSettings' in browser.commands) await browser.commands.openShortcutSettings();
  else await browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
