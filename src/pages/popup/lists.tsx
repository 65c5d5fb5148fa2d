import { readableUrl } from '@terse/contract/readable-host';
import type { ComponentChildren } from 'preact';
import { useKeepFocus } from '../../components/focus.ts';
import { CopyIcon } from '../../components/icons.tsx';
import { RequestRow } from '../../components/unfinished-requests.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText, otherHost } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { statusInList } from '../../format/status-text.ts';
import { isStuck } from '../../queue/sending.ts';
import type { Link } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { LISTED } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';

/** The unfinished requests and the latest links. If the focused row disappears, the focus moves to the next row. */
export function Lists({ store }: { store: PopupStore }) {
  const root = useKeepFocus<HTMLDivElement>();
  const { others, hasChoice, names, now, openQueue, openLinks } = store;
  const { requests, links } = others.value;
  const isWaiting = requests.every(({ request }) => !isStuck(request));
  const title = isWaiting ? plural('waitingCount', requests.length) : t('queue');
  const shown = requests.slice(0, LISTED);
  const notes = new Set(shown.map(({ request, status }) => statusInList(status, request.problem, now.value)));
  const common = (isWaiting && shown.length > 1 && notes.size === 1 && [...notes][0]) || null;
  return (
    <div class="lists" ref={root}>
      {requests.length > 0 && (
        <List title={title} more={t('showAll')} openAll={openQueue} note={common}>
          {shown.map((listed) => (
            <li key={listed.request.id} class="row" data-request={listed.request.id}>
              <RequestRow
                connectionName={(hasChoice.value && names.value.get(listed.connection.id)) || null}
                isCompact
                {...{ common, listed, store }}
              />
            </li>
          ))}
        </List>
      )}
      {links.length > 0 && (
        <List title={t('latest')} more={t('allLinks')} openAll={openLinks}>
          {links.slice(0, LISTED).map((link) => (
            <LinkRow key={link.id} link={link} store={store} />
          ))}
        </List>
      )}
    </div>
  );
}

interface ListProps {
  title: string;
  /** Label of the button that opens the page with the whole list. */
  more: string;
  openAll: () => void;
  /** Text about all rows. */
  note?: string | null;
  children: ComponentChildren;
}

function List({ title, more, openAll, note, children }: ListProps) {
  return (
    <section class="list" aria-label={title}>
      <div class="list-head">
        <h2 class="list-title">{title}</h2>
        <button type="button" class="text-button" onClick={openAll}>
          {more}
        </button>
      </div>
      {note && <p class="help">{note}</p>}
      <ul>{children}</ul>
    </section>
  );
}

function LinkRow({ link, store }: { link: Link; store: PopupStore }) {
  const { shortUrl, url, connectionId } = link;
  const title = displayText(link.title);
  const connection = store.connections.value.find(({ id }) => id === connectionId);
  return (
    <li class="row">
      <button
        type="button"
        class="row-text row-open"
        title={t('openNamed', readableUrl(shortUrl))}
        disabled={!isWebUrl(shortUrl)}
        onClick={() => store.open(shortUrl)}
      >
        {title ? <UntrustedText class="line" text={title} /> : <Address url={url} />}
        <ShortAddress url={shortUrl} otherHost={otherHost(link, connection) !== null} />
      </button>
      <div class="row-buttons">
        <CopyIcon text={shortUrl} copier={store} />
      </div>
    </li>
  );
}
