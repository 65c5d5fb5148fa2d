import { useMemo, useState } from 'preact/hooks';
import type { Link } from '../queue/types.ts';
import { Announcer } from '../ui/announcer.tsx';
import { Confirm } from '../ui/confirm.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { Icon, Mark } from '../ui/icons.tsx';
import { QrDialog } from '../ui/qr-dialog.tsx';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';
import { LinkRow } from './link-row.tsx';
import { search } from './search.ts';

/** Rows in the page before more are asked for; the page stays quick with any number of links. */
const PAGE = 100;

export interface LinksProps {
  links: Link[];
  /** The link whose removal can still be undone. */
  removed: Link | null;
  now: number;
  clipboard: Clipboard;
  actions: Actions;
}

/** Every link made here, newest first. */
export function Links({ links, removed, now, clipboard, actions }: LinksProps) {
  const [query, setQuery] = useState('');
  const [rows, setRows] = useState(PAGE);
  const [qr, setQr] = useState<string | null>(null);
  const [clearing, setClearing] = useState(false);
  const kept = useMemo(() => links.filter((link) => link.id !== removed?.id), [links, removed]);
  const found = useMemo(() => search(kept, query), [kept, query]);
  const count = found.length.toLocaleString();

  return (
    <main class="page is-wide">
      <header class="page-head">
        <Mark />
        <h1>{t('linksTitle')}</h1>
        <span class="count">{kept.length.toLocaleString()}</span>
        <div class="page-end actions">
          <button type="button" class="button" disabled={found.length === 0} onClick={() => actions.exportCsv(found)}>
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
        <ul class="links">
          {found.slice(0, rows).map((link) => (
            <LinkRow key={link.id} link={link} now={now} clipboard={clipboard} showQr={setQr} actions={actions} />
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
      {removed && (
        <div class="toast" role="status">
          <p>
            {t('removed')} <bdi>{removed.title || removed.shortUrl}</bdi>
          </p>
          <button type="button" class="button" onClick={actions.undo}>
            {t('undo')}
          </button>
        </div>
      )}
      <Announcer text={query ? t('foundCount', count) : ''} />
      {qr && <QrDialog shortUrl={qr} close={() => setQr(null)} />}
      {clearing && (
        <Confirm
          title={t('clearTitle')}
          text={t('clearText')}
          yes={t('clearAll')}
          confirm={actions.clear}
          close={() => setClearing(false)}
        />
      )}
    </main>
  );
}
