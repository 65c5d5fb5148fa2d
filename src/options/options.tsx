import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import type { Settings } from '../storage/settings.ts';
import type { QueuesView } from '../storage/view.ts';
import { Icon, Mark } from '../ui/icons.tsx';
import { number, t } from '../ui/strings.ts';
import { BehaviourSection } from './behaviour-section.tsx';
import { Connections } from './connections.tsx';
import type { OptionsHandlers } from './handlers.ts';
import { LinkDefaultsSection } from './link-defaults-section.tsx';
import { type Shortcut, ShortcutsSection } from './shortcuts-section.tsx';

export interface OptionsProps {
  view: QueuesView;
  /** What the page was opened with, to be connected to. */
  offered: ConnectionLink | null;
  settings: Settings;
  /** None where the browser has no keyboard. */
  shortcuts: Shortcut[];
  version: string;
  now: number;
  handlers: OptionsHandlers;
}

export function Options({ view, offered, settings, shortcuts, version, now, handlers }: OptionsProps) {
  return (
    <main class="page">
      <header class="page-head">
        <Mark />
        <h1>{t('extensionName')}</h1>
        <button type="button" class="button is-quiet page-end" onClick={handlers.openLinks}>
          <Icon name="list" />
          {t('allLinks')}
        </button>
      </header>
      {view.unassigned.length > 0 && (
        <p class="finding">
          <Icon name="clock" />
          <span>{t('unassignedWaiting', number(view.unassigned.length))}</span>
        </p>
      )}
      <Connections
        queues={view.queues}
        offered={offered}
        notifications={settings.notifications}
        now={now}
        handlers={handlers}
      />
      <BehaviourSection settings={settings} handlers={handlers} />
      <LinkDefaultsSection settings={settings} handlers={handlers} />
      {shortcuts.length > 0 && <ShortcutsSection shortcuts={shortcuts} change={handlers.openShortcuts} />}
      <footer class="page-foot">
        <p>{t('privacy')}</p>
        <p>{t('version', version)}</p>
      </footer>
    </main>
  );
}
