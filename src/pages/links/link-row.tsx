import { useMemo } from 'preact/hooks';
import { type Clipboard, CopyIcon } from '../../components/copy-button.tsx';
import { Icon, IconButton } from '../../components/icons.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { formatNumber, plural, t, uiLocale } from '../../format/i18n.ts';
import { formatDay } from '../../format/relative-time.ts';
import type { Link } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url.ts';
import { isExpired } from './search-and-sort.ts';
import type { LinksActions } from './use-links-actions.ts';

export interface LinkRowProps {
  link: Link;
  index: number;
  count: number;
  /** Distance from the top of the list, in pixels. */
  start: number;
  measure: (row: Element | null) => void;
  /** Name of the connection. Null if there is only one connection. */
  connectionName: string | null;
  otherHost: boolean;
  now: number;
  /** True if this link was copied last. */
  isCopied: boolean;
  /** Actions on the link's server. Null if the link exists only in this browser. */
  service: LinkService | null;
  /** True if other links in the list are on a server. */
  isAmongListed: boolean;
  actions: RowActions;
}

/** Actions of each row. The object stays the same while the list is shown. */
export interface RowActions {
  copy: Clipboard['copy'];
  open: LinksActions['open'];
  showQr: (shortUrl: string) => void;
  remove: (link: Link) => void;
}

/** Actions that a server offers for a link. Undefined if the server does not support one. */
export interface LinkService {
  showClicks: ((link: Link) => void) | undefined;
  edit: ((link: Link) => void) | undefined;
  canDelete: boolean;
}

/**
 * A row at its position. Its content renders again only if it changed, because each key press in the search field moves
 * many rows.
 */
export function LinkRow({ link, index, count, start, measure, now, service, isAmongListed, ...row }: LinkRowProps) {
  const { connectionName, otherHost, isCopied, actions } = row;
  const note = noteOf(link, service === null && isAmongListed && !link.private, now);
  const made = formatDay(link.createdAt, now);
  const content = useMemo(
    () => <RowContent {...{ link, note, made, service, connectionName, otherHost, isCopied, actions }} />,
    [link, note, made, service, connectionName, otherHost, isCopied, actions],
  );
  return (
    <li
      ref={measure}
      class="link"
      data-link={link.id}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ transform: `translateY(${start}px)` }}
    >
      {content}
    </li>
  );
}

type RowContentProps = Pick<
  LinkRowProps,
  'link' | 'service' | 'connectionName' | 'otherHost' | 'isCopied' | 'actions'
> & {
  note: string;
  /** Day on which the link was created. */
  made: string;
};

function RowContent({ link, note, made, service, connectionName, otherHost, isCopied, actions }: RowContentProps) {
  const { shortUrl, clicks } = link;
  return (
    <>
      <div class="link-text">
        <span class="link-head">
          <ShortAddress url={shortUrl} otherHost={otherHost} />
          {link.title && <UntrustedText class="link-title line" text={link.title} />}
        </span>
        <Address url={link.url} />
        {link.private && <span class="link-note">{t('privateNote')}</span>}
        {note && <span class="link-note">{note}</span>}
        {link.replaces !== undefined && <span class="link-warning">{t('replaced', link.replaces)}</span>}
      </div>
      {connectionName !== null && <bdi class="link-connection line">{connectionName}</bdi>}
      <time class="link-day" dateTime={new Date(link.createdAt).toISOString()}>
        {made}
      </time>
      <div class="link-actions">
        <CopyIcon text={shortUrl} clipboard={{ copied: isCopied ? shortUrl : null, copy: actions.copy }} />
        <IconButton
          icon="open"
          name={t('openNamed', shortUrl)}
          disabled={!isWebUrl(shortUrl)}
          press={() => actions.open(link)}
        />
        <IconButton icon="qr" name={t('qrNamed', shortUrl)} press={() => actions.showQr(shortUrl)} />
        {service?.showClicks && (
          <ClicksButton
            name={plural('clicksOf', clicks ?? 0, shortUrl)}
            clicks={clicks}
            press={() => service.showClicks?.(link)}
          />
        )}
        {service?.edit && <IconButton icon="edit" name={t('editNamed', shortUrl)} press={() => service.edit?.(link)} />}
        {service?.canDelete !== false && (
          <IconButton
            icon="trash"
            name={t(service ? 'deleteNamed' : 'removeNamed', shortUrl)}
            class="link-remove"
            press={() => actions.remove(link)}
          />
        )}
      </div>
    </>
  );
}

interface ClicksButtonProps {
  name: string;
  /** Undefined if the server reports none. */
  clicks: number | undefined;
  press: () => void;
}

function ClicksButton({ name, clicks, press }: ClicksButtonProps) {
  return (
    <button type="button" class="icon-button link-clicks" aria-label={name} title={name} onClick={press}>
      <Icon name="chart" />
      {clicks !== undefined && formatNumber(clicks)}
    </button>
  );
}

/** Returns notes about a link, such as its expiry. */
function noteOf(link: Link, isAlone: boolean, now: number): string {
  if (link.unlisted) return t('unlisted');
  if (isAlone) return t('onlyHere');
  if (link.expiresAt === null) return '';
  if (isExpired(link, now)) return t('expired');
  const form = new Intl.DateTimeFormat(uiLocale(), { dateStyle: 'medium', timeStyle: 'short' });
  return t('expiresOn', form.format(link.expiresAt));
}
