import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { serviceOf } from '../history/service-of.ts';
import type { HistoryState } from '../history/use-history.ts';
import type { Connection, Link } from '../queue/types.ts';
import { listingConnection } from '../storage/listed-links.ts';
import { Announcer } from '../ui/announcer.tsx';
import { Confirm } from '../ui/confirm.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { FlashToast } from '../ui/flash-toast.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon, Mark } from '../ui/icons.tsx';
import type { ListedRequest } from '../ui/listed-requests.ts';
import { News } from '../ui/news.tsx';
import { PrivateChip } from '../ui/private-chip.tsx';
import { number, t } from '../ui/strings.ts';
import type { FlashMessage } from '../ui/use-flash.ts';
import { useQrDialog } from '../ui/use-qr-dialog.tsx';
import type { Filter } from './arrange.ts';
import type { LinksHandlers } from './handlers.ts';
import { HistoryNotes } from './history-notes.tsx';
import { LinkList } from './link-list.tsx';
import { RemovedToast } from './toasts.tsx';
import { Tools } from './tools.tsx';
import { isUndo, UNDO_KEYS } from './undo-keys.ts';
import { isFiltered, useArranged } from './use-arranged.ts';
import { useLinkDialogs } from './use-link-dialogs.tsx';
import { Waiting } from './waiting.tsx';

export interface LinksProps {
  links: Link[];
  /** False while the older ones are still being read. */
  complete: boolean;
  requests: ListedRequest[];
  connections: Connection[];
  /** How the reading of each connection's list is going, by the connection's id. */
  history: ReadonlyMap<string, HistoryState>;
  /** False in a Firefox private window: what a service tells of its links could be kept nowhere. */
  canKeep: boolean;
  /** What belongs to private windows is shown too. */
  isPrivate: boolean;
  /** What the page is opened to look for. */
  search?: string;
  /** An update has brought something new, and nobody has read of it. */
  hasNews?: boolean;
  /** The ids of links that are being removed: they are not shown. */
  hidden: ReadonlySet<string>;
  /** The link whose removal can still be undone. */
  removed: Link | null;
  flash: FlashMessage | null;
  now: number;
  clipboard: Clipboard;
  handlers: LinksHandlers;
}

/** Every link, made here or listed by a service, and what is still on its way. */
export function Links(props: LinksProps) {
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
  const { linkDialog, showEdit, showClicks } = useLinkDialogs(handlers);
  const { qrDialog, showQr } = useQrDialog();
  const [clearing, setClearing] = useState(false);
  const [restored, setRestored] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const kept = useMemo(() => links.filter((link) => !hidden.has(link.id)), [links, hidden]);
  const { filter, setFilter, sort, setSort, found } = useArranged(kept, connections, search);
  // A file outlives the private windows.
  const exported = useMemo(() => found.filter((link) => !link.private), [found]);
  const hasLocal = kept.some((link) => link.private || listingConnection(link, connections) === null);
  const isReading = [...history.values()].some(({ reading }) => reading !== null);
  const isDeletion = removed !== null && serviceOf(removed, connections) !== null;

  const undo = () => {
    setRestored(removed?.id ?? null);
    handlers.undo();
  };
  // Heard as soon as the offer stands there, not some time after it was painted.
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
        <span class="count">{complete ? number(kept.length) : ''}</span>
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
          <button type="button" class="button is-quiet" disabled={!hasLocal} onClick={() => setClearing(true)}>
            {t('clearAll')}
          </button>
          <IconButton icon="list" name={t('manyTitle')} press={handlers.openMany} />
          <IconButton icon="settings" name={t('options')} press={handlers.openOptions} />
        </div>
      </header>
      <News hasNews={props.hasNews ?? false} />
      <Waiting requests={requests} now={now} openQueue={handlers.openQueue} />
      <Tools {...{ filter, setFilter, sort, setSort, connections }} />
      <HistoryNotes
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
            // No row is left to take the focus.
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
        {flash && <FlashToast flash={flash} dismiss={handlers.dismiss} />}
      </div>
      <Announcer text={isFiltered(filter) ? t('foundCount', number(found.length)) : ''} />
      <Announcer text={flash?.text ?? happened(removed, isDeletion, clipboard)} />
      {qrDialog}
      {linkDialog}
      {clearing && (
        <Confirm
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

/** What a screen reader says of the last thing done here. */
function happened(removed: Link | null, isDeletion: boolean, { copied }: Clipboard): string {
  if (removed) return t(isDeletion ? 'deletedHint' : 'removedHint', removed.title || removed.shortUrl, UNDO_KEYS.shown);
  return copied === null ? '' : t('copiedNamed', copied);
}
