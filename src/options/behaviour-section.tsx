import { type Settings, THEMES } from '../storage/settings.ts';
import { t } from '../ui/strings.ts';
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

interface SwitchProps {
  id: string;
  label: string;
  help: string;
  on: boolean;
  set: (on: boolean) => void;
}

function Switch({ id, label, help, on, set }: SwitchProps) {
  return (
    <div class="switch">
      <div class="switch-text">
        <label for={id}>{label}</label>
        <p id={`${id}-help`} class="help">
          {help}
        </p>
      </div>
      <input
        id={id}
        class="switch-input"
        type="checkbox"
        checked={on}
        aria-describedby={`${id}-help`}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </div>
  );
}
