import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Link } from '../queue/types.ts';
import { Announcer } from '../ui/announcer.tsx';
import { Confirm } from '../ui/confirm.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { FlashToast } from '../ui/flash-toast.tsx';
import { Icon, Mark } from '../ui/icons.tsx';
import { QrDialog } from '../ui/qr-dialog.tsx';
import { t } from '../ui/strings.ts';
import type { FlashMessage } from '../ui/use-flash.ts';
import type { LinksHandlers } from './handlers.ts';
import { LinkRow } from './link-row.tsx';
import { search } from './search.ts';
import { RemovedToast } from './toasts.tsx';
import { isUndo, UNDO_KEYS } from './undo-keys.ts';
import { useRowFocus } from './use-row-focus.ts';

/** Rows in the page before more are asked for; the page stays quick with any number of links. */
const PAGE = 100;

export interface LinksProps {
  links: Link[];
  /** The ids of links that are being removed: they are not shown. */
  hidden: ReadonlySet<string>;
  /** The link whose removal can still be undone. */
  removed: Link | null;
  flash: FlashMessage | null;
  now: number;
  clipboard: Clipboard;
  handlers: LinksHandlers;
}

/** Every link made here, newest first. */
export function Links({ links, hidden, removed, flash, now, clipboard, handlers }: LinksProps) {
  const [query, setQuery] = useState('');
  const [rows, setRows] = useState(PAGE);
  const [qr, setQr] = useState<string | null>(null);
  const [clearing, setClearing] = useState(false);
  const kept = useMemo(() => links.filter((link) => !hidden.has(link.id)), [links, hidden]);
  const found = useMemo(() => search(kept, query), [kept, query]);
  const count = found.length.toLocaleString();
  const { above, moveTo } = useRowFocus();

  const remove = (link: Link) => {
    const at = found.indexOf(link);
    moveTo((found[at + 1] ?? found[at - 1])?.id ?? null);
    handlers.remove(link);
  };
  const undo = () => {
    moveTo(removed?.id ?? null);
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
        <h1 ref={above} tabIndex={-1}>
          {t('linksTitle')}
        </h1>
        <span class="count">{kept.length.toLocaleString()}</span>
        <div class="page-end actions">
          <button type="button" class="button" disabled={found.length === 0} onClick={() => handlers.exportCsv(found)}>
            <Icon name="down" />
            {t('exportCsv')}
          </button>
          <button type="button" class="button is-quiet" disabled={kept.length === 0} onClick={() => setClearing(true)}>
            {t('clearAll')}
          </button>
        </div>
      </header>
      <div class="search">
        <Icon name="search" />
        <input
          class="input"
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setRows(PAGE);
          }}
        />
      </div>
      {found.length > 0 ? (
        // A key that is held down would remove one row after the other.
        <ul class="links" onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}>
          {found.slice(0, rows).map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              now={now}
              clipboard={clipboard}
              showQr={setQr}
              remove={remove}
              open={handlers.open}
            />
          ))}
        </ul>
      ) : (
        <div class="empty">
          <Mark />
          <h2>{t(query ? 'noneFound' : 'noLinks')}</h2>
          <p>{t(query ? 'noneFoundHint' : 'noLinksHint')}</p>
        </div>
      )}
      {found.length > rows && (
        <button type="button" class="button more" onClick={() => setRows(rows + PAGE)}>
          {t('showMore', rows.toLocaleString(), count)}
        </button>
      )}
      <div class="toasts">
        {removed && <RemovedToast key={removed.id} link={removed} undo={undo} hold={handlers.hold} />}
        {flash && (
          <FlashToast
            flash={flash}
            dismiss={() => {
              moveTo(null);
              handlers.dismiss();
            }}
          />
        )}
      </div>
      <Announcer text={query ? t('foundCount', count) : ''} />
      <Announcer text={flash?.text ?? happened(removed, clipboard)} />
      {qr && <QrDialog shortUrl={qr} close={() => setQr(null)} />}
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

/** What a screen reader says of the last thing done here. */
function happened(removed: Link | null, { copied }: Clipboard): string {
  if (removed) return `${t('removed')} ${removed.title || removed.shortUrl}. ${t('undoHint', UNDO_KEYS.shown)}`;
  return copied === null ? '' : t('copiedNamed', copied);
}
