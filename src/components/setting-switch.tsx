import { type MessageKey, t } from '../format/i18n.ts';
import type { SettingsStore } from './settings-store.ts';

/** Settings that are on or off, with the text that explains each. The name of a setting is also the key of its label. */
const SWITCHES = {
  shortenOnOpen: null,
  autoCopy: null,
  notifications: 'notificationsHelp',
  removeTracking: 'removeTrackingHelp',
  dropTextFragment: 'dropTextFragmentHelp',
  saveTitles: 'saveTitlesHelp',
} satisfies Record<string, MessageKey | null>;

interface SettingSwitchProps {
  name: keyof typeof SWITCHES;
  store: SettingsStore;
}

/** Switch for a setting. A change is saved immediately. */
export function SettingSwitch({ name, store }: SettingSwitchProps) {
  const help = SWITCHES[name];
  const set = (isOn: boolean) => {
    if (name === 'notifications') store.setNotifications(isOn);
    else store.change({ [name]: isOn });
  };
  return (
    <div class="setting">
      <div>
        <label for={name}>{t(name)}</label>
        {help && (
          <p id={`${name}-help`} class="help">
            {t(help)}
          </p>
        )}
      </div>
      <input
        id={name}
        class="switch-input"
        type="checkbox"
        checked={store.settings.value[name]}
        aria-describedby={help ? `${name}-help` : undefined}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </div>
  );
}
