import { type Settings, THEMES } from '../storage/settings.ts';
import { t } from '../ui/strings.ts';
import { Switch } from '../ui/switch.tsx';
import type { OptionsHandlers } from './handlers.ts';

/** What the person chooses about how it behaves and looks. Every change is kept at once. */
export function BehaviourSection({ settings, handlers }: { settings: Settings; handlers: OptionsHandlers }) {
  return (
    <section class="card" aria-labelledby="behaviour-title">
      <h2 id="behaviour-title">{t('behaviour')}</h2>
      <Switch
        id="shorten-on-open"
        label={t('shortenOnOpen')}
        help={t('shortenOnOpenHelp')}
        on={settings.shortenOnOpen}
        set={(shortenOnOpen) => handlers.change({ shortenOnOpen })}
      />
      <Switch
        id="auto-copy"
        label={t('autoCopy')}
        help={t('autoCopyHelp')}
        on={settings.autoCopy}
        set={(autoCopy) => handlers.change({ autoCopy })}
      />
      <Switch
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
    </section>
  );
}
