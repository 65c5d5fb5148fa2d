import { TAGS_LIMIT } from '@terse/contract/link-fields';
import { readableUrl } from '@terse/contract/readable-host';
import { useMemo, useRef } from 'preact/hooks';
import { CopyIcon } from '../../components/icons.tsx';
import { useShowMore } from '../../components/long-list.tsx';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText, otherHost } from '../../format/display-text.ts';
import { formatNumber, plural, t, uiLocale } from '../../format/i18n.ts';
import { formatDay } from '../../format/relative-time.ts';
import { connectionOfLink } from '../../link-sync/ask-server.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import type { LinksStore } from './links-store.ts';
import { isExpired, SORTS, tagQuery } from './search-and-sort.ts';

/** The list of links. */
export function LinkList({ store }: { store: LinksStore }) {
  const list = useRef<HTMLDivElement>(null);
  const links = store.found.value;
  const ids = links.map(({ id }) => id);
  const connections = store.connections.value;
  const names = store.names.value;
  const selected = new Set(store.selected.value);
  const canList = connections.some((connection) => capabilitiesOf(connection).list);
  const { shown, more } = useShowMore(links, list, '.link');

  return (
    <section class="card is-list" aria-labelledby="links-total">
      <div class="list-head">
        <label class="tick">
          <input
            type="checkbox"
            aria-label={t('selectAll')}
            checked={selected.size === links.length}
            indeterminate={selected.size > 0 && selected.size < links.length}
            onChange={() => store.select(ids, selected.size < links.length)}
          />
        </label>
        <h2 id="links-total" class="list-title">
          {store.isComplete.value ? plural('linksCount', links.length) : t('linksTitle')}
        </h2>
        <select
          class="button is-quiet"
          aria-label={t('sort')}
          value={store.sort.value}
          onChange={(event) => {
            store.sort.value = SORTS.find((one) => one === event.currentTarget.value) ?? 'newest';
          }}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {t(`sort_${one}`)}
            </option>
          ))}
        </select>
      </div>
      <div ref={list}>
        <ul>
          {shown.map((link) => (
            <LinkRow
              key={link.id}
              {...{ link, connections, canList, store }}
              isSelected={selected.has(link)}
              connectionName={(names.size > 1 && names.get(link.connectionId ?? '')) || null}
            />
          ))}
        </ul>
      </div>
      {more}
    </section>
  );
}

interface LinkRowProps {
  link: Link;
  connections: Connection[];
  /** True if at least one of the connected servers can list its links. */
  canList: boolean;
  /** Name of the connection. Null if there is only one connection. */
  connectionName: string | null;
  isSelected: boolean;
  store: LinksStore;
}

/** A row of the list. To keep the search fast, a row renders again only if its data changed. */
function LinkRow({ link, connections, canList, connectionName, isSelected, store }: LinkRowProps) {
  const now = store.now.value;
  const server = connectionOfLink(link, connections);
  const connection = connections.find(({ id }) => id === link.connectionId);
  const isOtherHost = otherHost(link, connection) !== null;
  const note = noteOf(link, server === null && canList, now);
  const day = formatDay(link.createdAt, now);
  return useMemo(
    () => <RowContent {...{ link, server, isOtherHost, note, day, connectionName, isSelected, store }} />,
    [link, server, isOtherHost, note, day, connectionName, isSelected],
  );
}

interface RowContentProps extends Pick<LinkRowProps, 'link' | 'connectionName' | 'isSelected' | 'store'> {
  /** Connection whose server can change the link. Null if the link exists only in this browser. */
  server: Connection | null;
  isOtherHost: boolean;
  note: string;
  /** Day on which the link was created. */
  day: string;
}

function RowContent({ link, server, isOtherHost, note, day, connectionName, isSelected, store }: RowContentProps) {
  const { id, url, shortUrl, clicks, tags = [] } = link;
  const title = displayText(link.title);
  return (
    <li class="link" data-link={id}>
      <label class="tick">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={t('selectNamed', displayText(title, url))}
          onChange={(event) => store.select([id], event.currentTarget.checked)}
        />
      </label>
      <div class="link-text">
        <div class="link-name">
          {title ? <UntrustedText class="link-title line" text={title} /> : <Address url={url} />}
          {tags.length > 0 && <Tags tags={tags} search={(tag) => store.setQuery(tagQuery(tag))} />}
        </div>
        <p class="link-facts">
          {title && <Address url={url} />}
          {connectionName !== null && <bdi class="link-connection line">{connectionName}</bdi>}
          <time dateTime={new Date(link.createdAt).toISOString()}>{day}</time>
          {note && <span class="link-note">{note}</span>}
        </p>
      </div>
      <ShortAddress url={shortUrl} otherHost={isOtherHost} />
      <span class="link-clicks">{clicks !== undefined && plural('clicksCount', clicks)}</span>
      <div class="link-actions">
        <CopyIcon text={shortUrl} copier={store} />
        <Menu name={t('moreNamed', readableUrl(shortUrl))} items={itemsOf(link, server, store)} />
      </div>
    </li>
  );
}

/** The first tags of a link, and the number of the others, because an imported link may have thousands. */
function Tags({ tags, search }: { tags: string[]; search: (tag: string) => void }) {
  return (
    <ul class="tags" aria-label={t('tags')}>
      {tags.slice(0, TAGS_LIMIT).map((tag) => {
        const name = t('showTag', displayText(tag));
        return (
          <li key={tag}>
            <button
              type="button"
              class="chip line"
              dir="auto"
              title={name}
              aria-label={name}
              onClick={() => search(tag)}
            >
              {displayText(tag)}
            </button>
          </li>
        );
      })}
      {tags.length > TAGS_LIMIT && (
        <li class="help">{formatNumber(tags.length - TAGS_LIMIT, { signDisplay: 'always' })}</li>
      )}
    </ul>
  );
}

/** Returns the actions for a link, without those that its server does not support. */
function itemsOf(link: Link, server: Connection | null, store: LinksStore): MenuItem[] {
  const { shortUrl } = link;
  const can = server && capabilitiesOf(server);
  const open = (kind: 'edit' | 'clicks') => () => {
    if (server) store.dialog.value = { kind, link, server };
  };
  const showQr = () => {
    store.qr.value = shortUrl;
  };
  const deleteLabel = t(server ? 'delete' : 'removeFromList');
  const items: (MenuItem | null | false)[] = [
    { icon: 'open', label: t('open'), isDisabled: !isWebUrl(shortUrl), press: () => store.open(link) },
    { icon: 'qr', label: t('qrTitle'), press: showQr },
    can?.clicks === 'details' && { icon: 'chart', label: t('clicksTitle'), press: open('clicks') },
    can?.edit === true && { icon: 'edit', label: t('edit'), press: open('edit') },
    can?.delete !== false && { icon: 'trash', label: deleteLabel, isDanger: true, press: () => store.remove([link]) },
  ];
  return items.filter((item) => item !== null && item !== false);
}

/** Returns a short note about a link, such as its expiry. */
function noteOf(link: Link, isAlone: boolean, now: number): string {
  if (link.unlisted) return t('unlisted');
  if (isAlone) return t('onlyHere');
  if (link.expiresAt === null) return '';
  if (isExpired(link, now)) return t('expired');
  const form = new Intl.DateTimeFormat(uiLocale(), { dateStyle: 'medium', timeStyle: 'short' });
  return t('expiresOn', form.format(link.expiresAt));
}
