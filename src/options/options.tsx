import type { Connection } from '@terse/contract';
import type { Settings } from '../storage/settings.ts';
import type { View } from '../storage/view.ts';
import { Icon, Mark } from '../ui/icons.tsx';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';
import { BehaviourSection } from './behaviour-section.tsx';
import { ConnectionSection } from './connection-section.tsx';

/** A command of the manifest and the keys it has now; empty where it has none. */
export interface Shortcut {
  description: string;
  keys: string;
}

export interface OptionsProps {
  view: View;
  /** What the page was opened with, to be connected to. */
  offered: Connection | null;
  settings: Settings;
  /** None where the browser has no keyboard. */
  shortcuts: Shortcut[];
  version: string;
  now: number;
  actions: Actions;
}

export function Options({ view, offered, settings, shortcuts, version, now, actions }: OptionsProps) {
  return (
    <main class="page">
      <header class="page-head">
        <Mark />
        <h1>{t('extensionName')}</h1>
        <button type="button" class="button is-quiet page-end" onClick={actions.openLinks}>
          <Icon name="list" />
          {t('allLinks')}
        </button>
      </header>
      <ConnectionSection
        connection={view.connection}
        offered={offered}
        waiting={view.requests.length}
        now={now}
        actions={actions}
      />
      <BehaviourSection settings={settings} actions={actions} />
      {shortcuts.length > 0 && (
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
          <button type="button" class="button" onClick={actions.openShortcuts}>
            {t('changeShortcuts')}
          </button>
        </section>
      )}
      <footer class="page-foot">
        <p>{t('privacy')}</p>
        <p>{t('version', version)}</p>
      </footer>
    </main>
  );
}
