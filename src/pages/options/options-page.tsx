import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { Icon, Mark } from '../../components/icons.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import type { Settings } from '../../storage/settings.ts';
import { Connections } from './connections-section.tsx';
import { GeneralSection, LinkDefaultsSection } from './general-section.tsx';
import { ImportExportSection } from './import-export-section.tsx';
import { type Shortcut, ShortcutsSection } from './shortcuts-section.tsx';
import type { ImportExportActions } from './use-import-export.ts';
import type { OptionsActions } from './use-options-actions.ts';

export interface OptionsProps {
  view: VisibleQueues;
  /** Connection from the connection link with which the page was opened. */
  offered: ConnectionLink | null;
  settings: Settings;
  /** Empty if the browser has no keyboard. */
  shortcuts: Shortcut[];
  version: string;
  now: number;
  /** True if the page is in a private window. */
  isPrivate: boolean;
  flash: FlashMessage | null;
  handlers: OptionsActions;
  data: ImportExportActions;
}

export function OptionsPage(props: OptionsProps) {
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
          <span>{t('unassignedWaiting', formatNumber(view.unassigned.length))}</span>
        </p>
      )}
      <Connections
        queues={view.queues}
        offered={offered}
        notifications={settings.notifications}
        now={now}
        handlers={handlers}
      />
      <GeneralSection settings={settings} handlers={handlers} />
      <LinkDefaultsSection settings={settings} handlers={handlers} />
      {shortcuts.length > 0 && <ShortcutsSection shortcuts={shortcuts} change={handlers.openShortcuts} />}
      <ImportExportSection waiting={waiting} isPrivate={isPrivate} now={now} handlers={data} />
      <footer class="page-foot">
        <p>{t('privacy')}</p>
        <p>{t('version', version)}</p>
      </footer>
      <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}</div>
      <Announcer text={flash?.text ?? ''} />
    </main>
  );
}
