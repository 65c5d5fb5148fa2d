import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { ProjectLink } from '../../components/project-link.tsx';
import { t } from '../../format/i18n.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import type { Settings } from '../../storage/settings.ts';
import { ConnectionsSection } from './connections-section.tsx';
import { GeneralSection, LinkDefaultsSection } from './general-section.tsx';
import { ImportExportSection } from './import-export-delete-section.tsx';
import { SectionNav } from './sections-and-navigation.tsx';
import { type Shortcut, ShortcutsSection } from './shortcuts-section.tsx';
import type { ImportExportActions } from './use-import-export.ts';
import type { OptionsActions } from './use-options-actions.ts';

export interface OptionsProps {
  view: VisibleQueues;
  /** Connection described by the connection link that opened this page, or null. */
  offered: ConnectionLink | null;
  settings: Settings;
  /** Empty if the browser supports no shortcuts, as in Firefox for Android. */
  shortcuts: Shortcut[];
  /** Keyword that the user types in the address bar to activate Terse. */
  keyword: string;
  version: string;
  now: number;
  /** False if the page cannot write to the database. */
  flash: FlashMessage | null;
  handlers: OptionsActions;
  data: ImportExportActions;
}

export function OptionsPage(props: OptionsProps) {
  const { view, offered, settings, shortcuts, keyword, version, now, flash, handlers, data } = props;
  const waiting = view.queues.flatMap(({ requests }) => requests).length;
  const hasShortcuts = shortcuts.length > 0;
  return (
    <>
      <PageHeader current="options" view={view} />
      <main class="page is-wide">
        <div class="page-head">
          <h1>{t('options')}</h1>
        </div>
        <div class="options">
          <SectionNav hidden={hasShortcuts ? [] : ['shortcuts']} />
          <div class="sections">
            <ConnectionsSection queues={view.queues} offered={offered} handlers={handlers} />
            <GeneralSection settings={settings} handlers={handlers} />
            <LinkDefaultsSection settings={settings} handlers={handlers} />
            {hasShortcuts && <ShortcutsSection {...{ shortcuts, keyword }} change={handlers.openShortcuts} />}
            <ImportExportSection waiting={waiting} now={now} handlers={data} />
            <footer class="page-foot">
              <span>{t('version', version)}</span>
              <ProjectLink />
            </footer>
          </div>
        </div>
        <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}</div>
        <Announcer text={flash?.text ?? ''} />
      </main>
    </>
  );
}
