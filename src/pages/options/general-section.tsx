import { ToggleSwitch } from '../../components/toggle-switch.tsx';
import { t } from '../../format/i18n.ts';
import { EXPIRIES } from '../../queue/default-expiry.ts';
import { type Settings, THEMES } from '../../storage/settings.ts';
import { Section } from './sections-and-navigation.tsx';
import type { OptionsActions } from './use-options-actions.ts';

/** Settings for behavior and appearance. Every change is saved immediately. */
export function GeneralSection({ settings, handlers }: { settings: Settings; handlers: OptionsActions }) {
  return (
    <Section id="general">
      <div class="card setting-rows">
        <ToggleSwitch
          id="shorten-on-open"
          label={t('shortenOnOpen')}
          on={settings.shortenOnOpen}
          set={(shortenOnOpen) => handlers.change({ shortenOnOpen })}
        />
        <ToggleSwitch
          id="auto-copy"
          label={t('autoCopy')}
          on={settings.autoCopy}
          set={(autoCopy) => handlers.change({ autoCopy })}
        />
        <ToggleSwitch
          id="notifications"
          label={t('notifications')}
          help={t('notificationsHelp')}
          on={settings.notifications}
          set={handlers.setNotifications}
        />
        <fieldset class="choice">
          <legend>{t('theme')}</legend>
          <div class="segments">
            {THEMES.map((theme) => (
              <label key={theme} class="segment">
                <input
                  type="radio"
                  name="theme"
                  value={theme}
                  checked={settings.theme === theme}
                  onChange={() => handlers.change({ theme })}
                />
                <span>{t(`theme_${theme}`)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </Section>
  );
}

/** Defaults for new links. The form in the popup can override them for one link. */
export function LinkDefaultsSection({ settings, handlers }: { settings: Settings; handlers: OptionsActions }) {
  return (
    <Section id="link-defaults">
      <div class="card setting-rows">
        <ToggleSwitch
          id="remove-tracking"
          label={t('removeTracking')}
          help={t('removeTrackingHelp')}
          on={settings.removeTracking}
          set={(removeTracking) => handlers.change({ removeTracking })}
        />
        <ToggleSwitch
          id="drop-text-fragment"
          label={t('dropTextFragment')}
          help={t('dropTextFragmentHelp')}
          on={settings.dropTextFragment}
          set={(dropTextFragment) => handlers.change({ dropTextFragment })}
        />
        <ToggleSwitch
          id="save-titles"
          label={t('saveTitles')}
          help={t('saveTitlesHelp')}
          on={settings.saveTitles}
          set={(saveTitles) => handlers.change({ saveTitles })}
        />
        <div class="setting">
          <label for="expiry">{t('expiry')}</label>
          <select
            id="expiry"
            class="input is-short"
            value={settings.expiry}
            onChange={({ currentTarget }) =>
              handlers.change({ expiry: EXPIRIES.find((one) => one === currentTarget.value) ?? 'never' })
            }
          >
            {EXPIRIES.map((expiry) => (
              <option key={expiry} value={expiry}>
                {t(`expiry_${expiry}`)}
              </option>
            ))}
          </select>
        </div>
      </div>
    </Section>
  );
}
