import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { DataSection } from '../data/data-section.tsx';
import type { DataHandlers } from '../data/handlers.ts';
import type { Settings } from '../storage/settings.ts';
import type { QueuesView } from '../storage/view.ts';
import { Announcer } from '../ui/announcer.tsx';
import { FlashToast } from '../ui/flash-toast.tsx';
import { Icon, Mark } from '../ui/icons.tsx';
import { number, t } from '../ui/strings.ts';
import type { FlashMessage } from '../ui/use-flash.ts';
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
  /** The page is in a private window. */
  isPrivate: boolean;
  flash: FlashMessage | null;
  handlers: OptionsHandlers;
  data: DataHandlers;
}

export function Options(props: OptionsProps) {
  const { view, offered, settings, shortcuts, version, now, isPrivate, flash, handlers, data } = props;
  const waiting = [...view.queues.flatMap(({ requests }) => requests), ...view.unassigned].length;
  return (
    <main class="page">
      <header class="page-head">
        <Mark />
        <h1>{t('extensionName')}</h1>
        <button type="button" class="button is-quiet page-end" onClick={handlers.openLinks}>
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
      <DataSection waiting={waiting} isPrivate={isPrivate} now={now} handlers={data} />
      <footer class="page-foot">
        <p>{t('privacy')}</p>
        <p>{t('version', version)}</p>
      </footer>
      <div class="toasts">{flash && <FlashToast flash={flash} dismiss={handlers.dismiss} />}</div>
      <Announcer text={flash?.text ?? ''} />
    </main>
  );
}
