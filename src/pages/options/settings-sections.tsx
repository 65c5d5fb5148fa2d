import browser from '../../browser/browser.ts';
import { SettingSwitch } from '../../components/setting-switch.tsx';
import type { SettingsStore } from '../../components/settings-store.ts';
import { t } from '../../format/i18n.ts';
import { EXPIRIES } from '../../queue/sending.ts';

/** Settings for behavior. Every change is saved immediately. */
export function GeneralSettings({ store }: { store: SettingsStore }) {
  return (
    <div class="card is-list">
      <SettingSwitch name="shortenOnOpen" store={store} />
      <SettingSwitch name="autoCopy" store={store} />
      <SettingSwitch name="notifications" store={store} />
    </div>
  );
}

/** Defaults for new links. The form in the popup can override them for one link. */
export function LinkDefaults({ store }: { store: SettingsStore }) {
  const { expiry } = store.settings.value;
  return (
    <div class="card is-list">
      <SettingSwitch name="removeTracking" store={store} />
      <SettingSwitch name="dropTextFragment" store={store} />
      <SettingSwitch name="saveTitles" store={store} />
      <div class="setting">
        <label for="expiry">{t('expiry')}</label>
        <select
          id="expiry"
          class="input"
          value={expiry}
          onChange={({ currentTarget: { value } }) =>
            store.change({ expiry: EXPIRIES.find((one) => one === value) ?? 'never' })
          }
        >
          {EXPIRIES.map((one) => (
            <option key={one} value={one}>
              {t(`expiry_${one}`)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

/** A command from the manifest, with its keyboard shortcut. The shortcut is empty if the command has none. */
export interface Shortcut {
  description: string;
  keys: string;
}

/** List of keyboard shortcuts, with a button that opens the browser's page for changing them. */
export function Shortcuts({ shortcuts, keyword }: { shortcuts: Shortcut[]; keyword: string }) {
  return (
    <div class="card is-list">
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
        <button type="button" class="text-button" onClick={() => void openShortcuts()}>
          {t('changeShortcuts')}
        </button>
      </div>
    </div>
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

/** Opens the browser's page for changing shortcuts. Chrome has no function for it, but the page has an address. */
async function openShortcuts(): Promise<void> {
  if ('openShortcutSettings' in browser.commands) await browser.commands.openShortcutSettings();
  else await browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
