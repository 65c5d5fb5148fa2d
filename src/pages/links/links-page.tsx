import { useLayoutEffect, useRef } from 'preact/hooks';
import { EmptyState, NoServer } from '../../components/empty-state.tsx';
import { Toasts } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/focus.ts';
import { Icon, IconButton, type IconName } from '../../components/icons.tsx';
import { LazyQrDialog, useLazy } from '../../components/lazy-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import { connectionOfLink, isDeletable } from '../../link-sync/ask-server.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import { countRequests } from '../../queue/status.ts';
import type { Deletion } from './deletion.ts';
import { LinkList } from './link-list.tsx';
import type { LinksStore } from './links-store.ts';
import { SyncNotes } from './sync-notes.tsx';

/** Page that lists all links, whether they were created in this browser or read from servers. */
export function LinksPage({ store }: { store: LinksStore }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const main = useKeepFocus<HTMLElement>(heading);
  const links = store.links.value;
  const found = store.found.value;
  return (
    <>
      <PageHeader current="links" view={store.view.value} />
      <main ref={main} class="page is-wide">
        <header class="page-head">
          <h1 ref={heading} tabIndex={-1}>
            {t('linksTitle')}
          </h1>
          {links.length > 0 && (
            <button
              type="button"
              class="button page-end"
              disabled={!store.isComplete.value || found.length === 0}
              onClick={() => store.exportCsv(found)}
            >
              <Icon name="down" />
              {t('exportData')}
            </button>
          )}
        </header>
        <SyncNotes store={store} isProblem />
        {links.length > 0 && <SearchBar store={store} />}
        {found.length > 0 ? (
          <LinkList store={store} />
        ) : links.length > 0 ? (
          <EmptyState icon="search" title={t('noneFound')} text={t('noneFoundHint')}>
            <button type="button" class="button" onClick={() => store.setQuery('')}>
              {t('showAllLinks')}
            </button>
          </EmptyState>
        ) : (
          <NoLinks store={store} />
        )}
        <SyncNotes store={store} isProblem={false} />
        <LinksToasts store={store} />
        <Announcer text={store.query.value !== '' ? t('foundCount', formatNumber(found.length)) : ''} />
        <Announcer text={announcementOf(store)} />
        <LazyQrDialog shown={store.qr} />
        <LinkDialog store={store} />
      </main>
    </>
  );
}

function SearchBar({ store: { query, setQuery } }: { store: LinksStore }) {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={query.value}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
    </div>
  );
}

/** Message and button that are shown if there are no links. */
function NoLinks({ store: { view, syncs, openOptions } }: { store: LinksStore }) {
  if ([...syncs.value.values()].some((state) => typeof state === 'number')) return null;
  if (view.value.queues.length === 0) return <NoServer openOptions={openOptions} />;
  const isWaiting = countRequests(view.value).all > 0;
  return (
    <EmptyState icon="links" title={t('noLinks')} text={t(isWaiting ? 'noLinksWaitingHint' : 'noLinksHint')}>
      <a class="button is-primary" href={pageAddress(isWaiting ? 'queue' : 'bulk')}>
        {t(isWaiting ? 'openQueue' : 'pasteAddress')}
      </a>
    </EmptyState>
  );
}

/** Messages at the bottom of the page, and the bar with actions for the selected links. */
function LinksToasts({ store }: { store: LinksStore }) {
  const deletion = store.deletion.pending.value;
  return (
    <Toasts flash={store.flash}>
      {deletion && <UndoToast key={deletion.links[0]?.id} deletion={deletion} undo={store.deletion.undo} />}
      {store.selected.value.length > 0 && <SelectionBar store={store} />}
    </Toasts>
  );
}

/** Bar at the bottom of the page with actions for the selected links. */
function SelectionBar({ store }: { store: LinksStore }) {
  const { selected, connections, copied, copy, exportCsv, remove, clearSelection } = store;
  const links = selected.value;
  const deletable = links.filter((link) => isDeletable(link, connections.value));
  const shortUrls = links.map(({ shortUrl }) => shortUrl).join('\n');
  const isCopied = copied.value === shortUrls;
  return (
    <section class="toolbar" aria-label={plural('selectedCount', links.length)}>
      <p aria-hidden="true">{plural('selectedCount', links.length)}</p>
      <Action
        icon={isCopied ? 'check' : 'copy'}
        name={t(isCopied ? 'copied' : 'copy')}
        press={() => void copy(shortUrls)}
      />
      <Action icon="down" name={t('exportData')} press={() => exportCsv(links)} />
      <Action
        icon="trash"
        name={t('delete')}
        isDanger
        isDisabled={deletable.length === 0}
        press={() => remove(deletable)}
      />
      <IconButton icon="close" name={t('clearSelection')} press={clearSelection} />
    </section>
  );
}

interface ActionProps {
  icon: IconName;
  name: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  press: () => void;
}

function Action({ icon, name, isDanger = false, isDisabled = false, press }: ActionProps) {
  const look = isDanger ? 'is-danger' : '';
  return (
    <button type="button" class={`button is-quiet ${look}`} title={name} disabled={isDisabled} onClick={press}>
      <Icon name={icon} />
      <span>{name}</span>
    </button>
  );
}

interface UndoToastProps {
  deletion: Deletion;
  undo: () => void;
}

/** Message after a deletion. Its Undo button gets the focus, because the focused control disappeared with the links. */
function UndoToast({ deletion, undo }: UndoToastProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <div class="toast">
      <p>{deletionMessage(deletion)}</p>
      <button ref={button} type="button" class="button" onClick={undo}>
        <Icon name="undo" />
        {t('undo')}
      </button>
    </div>
  );
}

/** Returns a message about the deleted links and about the effect on their short URLs. */
function deletionMessage({ links, connections }: Deletion): string {
  const onServer = links.filter((link) => connectionOfLink(link, connections)).length;
  if (onServer === 0) return joinSentences(plural('linksRemoved', links.length), plural('removeText', links.length));
  const text = onServer === links.length ? plural('deleteText', onServer) : t('deleteSomeText');
  return joinSentences(plural('linksDeleted', links.length), text);
}

/** The dialog that edits a link or shows its clicks. The code of a dialog is loaded on first use. */
function LinkDialog({ store }: { store: LinksStore }) {
  const shown = store.dialog.value;
  const EditDialog = useLazy(shown?.kind === 'edit', async () => (await import('./edit-link-dialog.tsx')).EditDialog);
  const ClicksDialog = useLazy(
    shown?.kind === 'clicks',
    async () => (await import('./clicks-dialog.tsx')).ClicksDialog,
  );
  const Dialog = shown?.kind === 'edit' ? EditDialog : ClicksDialog;
  return shown && Dialog && <Dialog link={shown.link} server={shown.server} store={store} />;
}

/** Returns the text for screen readers about the last action. */
function announcementOf({ flash, deletion, copied }: LinksStore): string {
  if (flash.value) return flash.value.text;
  const deleted = deletion.pending.value;
  if (deleted) return deletionMessage(deleted);
  if (copied.value === null) return '';
  const count = copied.value.split('\n').length;
  return count === 1 ? t('copiedNamed', copied.value) : plural('resultCopied', count);
}
