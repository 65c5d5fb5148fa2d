import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Clipboard } from '../../components/copy-button.tsx';
import { EmptyState, NoServer } from '../../components/empty-state.tsx';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { Icon } from '../../components/icons.tsx';
import { useQrDialog } from '../../components/lazy-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import type { SyncState } from '../../link-sync/use-service-sync.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import { countRequests } from '../../queue/status/request-status.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { isUndo, RemovedToast, removalMessage, UNDO_KEYS } from './delete-with-undo.tsx';
import { LinkList } from './link-list.tsx';
import { EVERY, isFiltered, tagQuery, useSearchAndSort } from './search-and-sort.ts';
import { SearchBar } from './search-bar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { ServiceSyncNotes } from './service-sync-notes.tsx';
import { useLinkDialogs } from './use-link-dialogs.tsx';
import type { LinksActions } from './use-links-actions.ts';
import { useSelection } from './use-selection.ts';

export interface LinksPageProps {
  links: Link[];
  /** False until all links have been read. */
  complete: boolean;
  view: VisibleQueues;
  /** Progress of reading each server's list of links, by connection id. */
  history: ReadonlyMap<string, SyncState>;
  /** Initial search text. */
  search?: string;
  /** Ids of the links that the user removed. The page does not show these links. */
  hidden: ReadonlySet<string>;
  /** Links whose removal can still be undone. */
  removed: Link[];
  flash: FlashMessage | null;
  now: number;
  clipboard: Clipboard;
  handlers: LinksActions;
}

/** Page that lists all links, whether they were created in this browser or read from servers. */
export function LinksPage(props: LinksPageProps) {
  const { links, complete, view, history, search, hidden, removed, flash, now, clipboard } = props;
  const { handlers } = props;
  const connections = useMemo(() => view.queues.map(({ connection }) => connection), [view]);
  const { linkDialog, showEdit, showClicks } = useLinkDialogs(handlers, connections);
  const { qrDialog, showQr } = useQrDialog();
  const [restored, setRestored] = useState<string | null>(null);
  /** True if the user removed links with the selection bar. The bar disappears, so the Undo button gets the focus. */
  const [isFromBar, setFromBar] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const kept = useMemo(() => links.filter((link) => !hidden.has(link.id)), [links, hidden]);
  const { filter, setFilter, sort, setSort, found } = useSearchAndSort(kept, connections, search);
  const { selectedLinks, selected, select, clear } = useSelection(found);
  const isReading = [...history.values()].some(({ reading }) => reading !== null);

  const remove = (some: Link[], isFromBar: boolean) => {
    setRestored(null);
    setFromBar(isFromBar);
    // If all rows are removed, no row can get the focus, so the heading gets it.
    if (found.length === some.length) heading.current?.focus();
    handlers.remove(some);
  };
  const undo = () => {
    setRestored(removed[0]?.id ?? null);
    handlers.undo();
  };
  // The listener is added before the first paint, so that no key press is missed.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isUndo(event)) return;
      // Prevents the browser from undoing the last change of the search text. The browser would do this even if the
      // search field is not focused.
      event.preventDefault();
      if (removed.length > 0) undo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });

  const notes = {
    ...{ connections, now },
    states: history,
    readAgain: handlers.readAgain,
    allowAccess: handlers.allowAccess,
    openOptions: handlers.openOptions,
  };
  return (
    <>
      <PageHeader current="links" view={view} />
      <main class="page is-wide">
        <header class="page-head">
          <h1 ref={heading} tabIndex={-1}>
            {t('linksTitle')}
          </h1>
          {kept.length > 0 && (
            <button
              type="button"
              class="button page-end"
              disabled={!complete || found.length === 0}
              onClick={() => handlers.exportCsv(found)}
            >
              <Icon name="down" />
              {t('exportCsv')}
            </button>
          )}
        </header>
        <ServiceSyncNotes {...notes} isProblem />
        {kept.length > 0 && <SearchBar {...{ filter, setFilter, connections }} />}
        {found.length > 0 ? (
          <LinkList
            links={found}
            {...{
              complete,
              connections,
              sort,
              setSort,
              selected,
              select,
              now,
              clipboard,
              restored,
              showQr,
              showClicks,
            }}
            searchTag={(tag) => setFilter({ query: tagQuery(tag) })}
            remove={(link) => remove([link], false)}
            open={handlers.open}
            edit={showEdit}
          />
        ) : kept.length > 0 ? (
          <EmptyState icon="search" title={t('noneFound')} text={t('noneFoundHint')}>
            <button type="button" class="button" onClick={() => setFilter(EVERY)}>
              {t('showAllLinks')}
            </button>
          </EmptyState>
        ) : (
          !isReading && <NoLinks view={view} openOptions={handlers.openOptions} />
        )}
        <ServiceSyncNotes {...notes} isProblem={false} />
        <div class="toasts">
          {removed.length > 0 && (
            <RemovedToast
              key={removed[0]?.id}
              links={removed}
              {...{ connections, undo }}
              hold={handlers.hold}
              takesFocus={isFromBar}
              returnFocus={() => heading.current?.focus({ preventScroll: true })}
            />
          )}
          {selectedLinks.length > 0 && (
            <SelectionBar
              links={selectedLinks}
              {...{ connections, clipboard, clear }}
              remove={(some) => remove(some, true)}
              exportCsv={handlers.exportCsv}
            />
          )}
          {flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}
        </div>
        <Announcer text={isFiltered(filter) ? t('foundCount', formatNumber(found.length)) : ''} />
        <Announcer
          text={
            flash?.text ??
            (removed.length > 0
              ? joinSentences(removalMessage(removed, connections), t('undoHint', UNDO_KEYS.shown))
              : copiedText(clipboard))
          }
        />
        {qrDialog}
        {linkDialog}
      </main>
    </>
  );
}

/** Returns a message about what was copied: the short URL of one link, or the number of short URLs. */
function copiedText({ copied }: Clipboard): string {
  if (copied === null) return '';
  const count = copied.split('\n').length;
  return count === 1 ? t('copiedNamed', copied) : plural('resultCopied', count);
}

type NoLinksProps = Pick<LinksPageProps, 'view'> & { openOptions: () => void };

/** Message and button that are shown if there are no links. */
function NoLinks({ view, openOptions }: NoLinksProps) {
  if (view.queues.length === 0) return <NoServer openOptions={openOptions} />;
  const isWaiting = countRequests(view).all > 0;
  return (
    <EmptyState icon="links" title={t('noLinks')} text={t(isWaiting ? 'noLinksWaitingHint' : 'noLinksHint')}>
      <a class="button is-primary" href={pageAddress(isWaiting ? 'queue' : 'bulk')}>
        {t(isWaiting ? 'openQueue' : 'pasteAddress')}
      </a>
    </EmptyState>
  );
}
