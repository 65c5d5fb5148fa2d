import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Clipboard } from '../../components/copy-button.tsx';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { Icon, IconButton, Mark } from '../../components/icons.tsx';
import { useQrDialog } from '../../components/lazy-dialog.tsx';
import { Announcer, PrivateChip } from '../../components/page-shell.tsx';
import { ReleaseNotes } from '../../components/release-notes.tsx';
import { UntrustedText } from '../../components/url-and-title.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import { statusInList } from '../../format/status-text.ts';
import { connectionOfLink } from '../../link-sync/edit-and-delete-link.ts';
import type { SyncState } from '../../link-sync/use-service-sync.ts';
import type { ListedRequest } from '../../queue/status/request-status.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { listingConnection } from '../../storage/merge-service-links.ts';
import { targetsFor } from './copy-targets.ts';
import { isUndo, RemovedToast, UNDO_KEYS } from './delete-with-undo.tsx';
import { LinkList } from './link-list.tsx';
import { type Filter, isFiltered, useSearchAndSort } from './search-and-sort.ts';
import { SearchBar } from './search-bar.tsx';
import { ServiceSyncNotes } from './service-sync-notes.tsx';
import { useCopyDialog } from './use-copy-dialog.tsx';
import { useLinkDialogs } from './use-link-dialogs.tsx';
import type { LinksActions } from './use-links-actions.ts';

/** Number of requests shown here. The queue page shows all. */
const FIRST = 5;

interface WaitingProps {
  requests: ListedRequest[];
  now: number;
  openQueue: () => void;
}

/** Requests that have no link yet, and why. */
export function Waiting({ requests, now, openQueue }: WaitingProps) {
  if (requests.length === 0) return null;
  const more = requests.length - FIRST;
  return (
    <section class="waiting" aria-labelledby="waiting-title">
      <div class="waiting-head">
        <h2 id="waiting-title">
          {t('queue')} <span class="count">{formatNumber(requests.length)}</span>
        </h2>
        <button type="button" class="text-button" onClick={openQueue}>
          {t('manage')}
        </button>
      </div>
      <ul>
        {requests.slice(0, FIRST).map(({ request, status }) => (
          <li key={request.id} class={`waiting-row is-${status.kind}`} data-request={request.id}>
            <UntrustedText class="line" text={request.title || request.url} hover={request.url} />
            <span class="waiting-why">{statusInList(status, request.problem, now)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="help">{t('waitingMore', formatNumber(more))}</p>}
    </section>
  );
}

export interface LinksPageProps {
  links: Link[];
  /** False while older links are still being read. */
  complete: boolean;
  requests: ListedRequest[];
  connections: Connection[];
  /** Progress of reading each server's list, by connection id. */
  history: ReadonlyMap<string, SyncState>;
  /** False in a private Firefox window, because the server's links cannot be stored there. */
  canKeep: boolean;
  /** True if private links and requests are included. */
  isPrivate: boolean;
  /** Initial search text. */
  search?: string;
  /** True if an update brought news that the user has not dismissed. */
  hasNews?: boolean;
  /** Ids of links that are being removed. They are hidden. */
  hidden: ReadonlySet<string>;
  /** Link whose removal can still be undone. */
  removed: Link | null;
  flash: FlashMessage | null;
  now: number;
  clipboard: Clipboard;
  handlers: LinksActions;
}

/** Page with all links, from this browser and from servers, and the pending requests. */
export function LinksPage(props: LinksPageProps) {
  const {
    links,
    complete,
    requests,
    connections,
    history,
    canKeep,
    isPrivate,
    search,
    hidden,
    removed,
    flash,
    now,
    clipboard,
    handlers,
  } = props;
  const { linkDialog, showEdit, showClicks } = useLinkDialogs(handlers, connections);
  const { qrDialog, showQr } = useQrDialog();
  const { copyDialog, showCopy } = useCopyDialog({ known: links, connections, now, failed: handlers.copyFailed });
  const [clearing, setClearing] = useState(false);
  const [restored, setRestored] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const kept = useMemo(() => links.filter((link) => !hidden.has(link.id)), [links, hidden]);
  const { filter, setFilter, sort, setSort, found } = useSearchAndSort(kept, connections, search);
  // Private links are not exported, because a file would outlive the private window.
  const exported = useMemo(() => found.filter((link) => !link.private), [found]);
  const hasLocal = kept.some((link) => link.private || listingConnection(link, connections) === null);
  const isReading = [...history.values()].some(({ reading }) => reading !== null);
  const isDeletion = removed !== null && connectionOfLink(removed, connections) !== null;

  const undo = () => {
    setRestored(removed?.id ?? null);
    handlers.undo();
  };
  // The listener is added before the first paint, so that no key press is missed.
  useLayoutEffect(() => {
    if (!removed) return;
    const press = (event: KeyboardEvent) => {
      if (!isUndo(event)) return;
      event.preventDefault();
      undo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });

  return (
    <main class="page is-wide">
      <header class="page-head">
        <Mark />
        <h1 ref={heading} tabIndex={-1}>
          {t('linksTitle')}
        </h1>
        <span class="count">{complete ? formatNumber(kept.length) : ''}</span>
        {isPrivate && <PrivateChip />}
        <div class="page-end actions">
          <button
            type="button"
            class="button"
            disabled={!complete || exported.length === 0}
            onClick={() => handlers.exportCsv(exported)}
          >
            <Icon name="down" />
            {t('exportCsv')}
          </button>
          {targetsFor(exported, connections).length > 0 && (
            <button
              type="button"
              class="button"
              disabled={!complete || exported.length === 0}
              onClick={() => void showCopy(exported)}
            >
              <Icon name="copy" />
              {t('copyToServer')}
            </button>
          )}
          <button type="button" class="button is-quiet" disabled={!hasLocal} onClick={() => setClearing(true)}>
            {t('clearAll')}
          </button>
          <IconButton icon="list" name={t('manyTitle')} press={handlers.openMany} />
          <IconButton icon="settings" name={t('options')} press={handlers.openOptions} />
        </div>
      </header>
      <ReleaseNotes hasNews={props.hasNews ?? false} />
      <Waiting requests={requests} now={now} openQueue={handlers.openQueue} />
      <SearchBar {...{ filter, setFilter, sort, setSort, connections }} />
      <ServiceSyncNotes
        {...{ connections, now, canKeep }}
        states={history}
        readAgain={handlers.readAgain}
        allowAccess={handlers.allowAccess}
        openOptions={handlers.openOptions}
      />
      {found.length > 0 ? (
        <LinkList
          links={found}
          {...{ connections, now, clipboard, restored }}
          showQr={showQr}
          remove={(link) => {
            setRestored(null);
            // No row is left that could get the focus.
            if (found.length === 1) heading.current?.focus();
            handlers.remove(link);
          }}
          open={handlers.open}
          showClicks={showClicks}
          edit={showEdit}
          canKeep={canKeep}
        />
      ) : (
        !(isReading && kept.length === 0) && <Empty filter={filter} waiting={requests.length > 0} />
      )}
      <div class="toasts">
        {removed && (
          <RemovedToast key={removed.id} link={removed} isDeletion={isDeletion} undo={undo} hold={handlers.hold} />
        )}
        {flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}
      </div>
      <Announcer text={isFiltered(filter) ? t('foundCount', formatNumber(found.length)) : ''} />
      <Announcer text={flash?.text ?? happened(removed, isDeletion, clipboard)} />
      {qrDialog}
      {linkDialog}
      {copyDialog}
      {clearing && (
        <ConfirmDialog
          title={t('clearTitle')}
          text={t('clearText')}
          yes={t('clearAll')}
          confirm={handlers.clear}
          close={() => setClearing(false)}
        />
      )}
    </main>
  );
}

function Empty({ filter, waiting }: { filter: Filter; waiting: boolean }) {
  const isNarrowed = isFiltered({ ...filter, query: '' });
  const [title, hint] = isFiltered(filter)
    ? (['noneFound', isNarrowed ? 'noneShownHint' : 'noneFoundHint'] as const)
    : (['noLinks', waiting ? 'noLinksWaitingHint' : 'noLinksHint'] as const);
  return (
    <div class="empty">
      <Mark />
      <h2>{t(title)}</h2>
      <p>{t(hint)}</p>
    </div>
  );
}

/** Returns the last action for screen readers. */
function happened(removed: Link | null, isDeletion: boolean, { copied }: Clipboard): string {
  if (removed) return t(isDeletion ? 'deletedHint' : 'removedHint', removed.title || removed.shortUrl, UNDO_KEYS.shown);
  return copied === null ? '' : t('copiedNamed', copied);
}
