import type { Link } from '../queue/types.ts';
import { isWebAddress } from '../target/target.ts';
import { Address, ShortAddress } from '../ui/address.tsx';
import { type Clipboard, CopyIcon } from '../ui/copy.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { number, plural, t, uiLocale } from '../ui/strings.ts';
import { day } from '../ui/when.ts';
import { isExpired } from './arrange.ts';
import type { LinksHandlers } from './handlers.ts';

export interface LinkRowProps {
  link: Link;
  index: number;
  count: number;
  /** How far from the top of the list, in pixels. */
  start: number;
  measure: (row: Element | null) => void;
  /** What its connection is called; null where there are not two to tell apart. */
  connectionName: string | null;
  otherHost: boolean;
  now: number;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  remove: (link: Link, index: number) => void;
  open: LinksHandlers['open'];
  /** What its service can do for it; null where it is in this browser alone. */
  service: LinkService | null;
  /** Other links are listed by a service. */
  isAmongListed: boolean;
}

/** What a page can ask a service for about a link: undefined where the service cannot do it. */
export interface LinkService {
  showClicks: ((link: Link) => void) | undefined;
  edit: ((link: Link) => void) | undefined;
}

export function LinkRow({ link, index, count, start, measure, connectionName, otherHost, now, ...can }: LinkRowProps) {
  const { service } = can;
  const note = noteOf(link, service === null && can.isAmongListed, now);
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
      <div class="link-text">
        <span class="link-head">
          <ShortAddress url={link.shortUrl} otherHost={otherHost} />
          {link.title && <ForeignText class="link-title line" text={link.title} />}
        </span>
        <Address url={link.url} />
        {note && <span class="link-note">{note}</span>}
        {link.replaces !== undefined && <span class="link-warning">{t('replaced', link.replaces)}</span>}
      </div>
      {connectionName !== null && <bdi class="link-connection line">{connectionName}</bdi>}
      <time class="link-day" dateTime={new Date(link.createdAt).toISOString()}>
        {day(link.createdAt, now)}
      </time>
      <div class="link-actions">
        <CopyIcon text={link.shortUrl} clipboard={can.clipboard} />
        <IconButton
          icon="open"
          name={t('openNamed', link.shortUrl)}
          disabled={!isWebAddress(link.shortUrl)}
          press={() => can.open(link.shortUrl)}
        />
        <IconButton icon="qr" name={t('qrNamed', link.shortUrl)} press={() => can.showQr(link.shortUrl)} />
        {service?.showClicks && (
          <button
            type="button"
            class="icon-button link-clicks"
            aria-label={plural('clicksOf', link.clicks ?? 0, link.shortUrl)}
            title={plural('clicksOf', link.clicks ?? 0, link.shortUrl)}
            onClick={() => service.showClicks?.(link)}
          >
            <Icon name="chart" />
            {link.clicks !== undefined && number(link.clicks)}
          </button>
        )}
        {service?.edit && (
          <IconButton icon="edit" name={t('editNamed', link.shortUrl)} press={() => service.edit?.(link)} />
        )}
        <IconButton
          icon="trash"
          name={t(service ? 'deleteNamed' : 'removeNamed', link.shortUrl)}
          class="link-remove"
          press={() => can.remove(link, index)}
        />
      </div>
    </li>
  );
}

/** What is to be known of a link beyond its addresses. */
function noteOf(link: Link, isAlone: boolean, now: number): string {
  if (link.unlisted) return t('unlisted');
  if (isAlone) return t('onlyHere');
  if (link.expiresAt === null) return '';
  if (isExpired(link, now)) return t('expired');
  const form = new Intl.DateTimeFormat(uiLocale(), { dateStyle: 'medium', timeStyle: 'short' });
  return t('expiresOn', form.format(link.expiresAt));
}
