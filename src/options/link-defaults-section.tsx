import { EXPIRIES } from '../queue/expiry.ts';
import type { Settings } from '../storage/settings.ts';
import { t } from '../ui/strings.ts';
import { Switch } from '../ui/switch.tsx';
import type { OptionsHandlers } from './handlers.ts';

/** Defaults for every new link. The form in the popup changes them for one link. */
export function LinkDefaultsSection({ settings, handlers }: { settings: Settings; handlers: OptionsHandlers }) {
  return (
    <section class="card" aria-labelledby="link-defaults-title">
      <h2 id="link-defaults-title">{t('linkDefaults')}</h2>
      <p class="help">{t('linkDefaultsHelp')}</p>
      <Switch
        id="remove-tracking"
        label={t('removeTracking')}
        help={t('removeTrackingHelp')}
        on={settings.removeTracking}
        set={(removeTracking) => handlers.change({ removeTracking })}
      />
      <Switch
        id="drop-text-fragment"
        label={t('dropTextFragment')}
        help={t('dropTextFragmentHelp')}
        on={settings.dropTextFragment}
        set={(dropTextFragment) => handlers.change({ dropTextFragment })}
      />
      <div class="field">
        <label for="expiry">{t('expiry')}</label>
        <select
          id="expiry"
          class="input"
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
    </section>
  );
}
