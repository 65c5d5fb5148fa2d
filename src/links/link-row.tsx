import type { Link } from '../queue/types.ts';
import { isWebAddress } from '../target/target.ts';
import { Address, ShortAddress } from '../ui/address.tsx';
import { type Clipboard, CopyIcon } from '../ui/copy.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { t } from '../ui/strings.ts';
import { day } from '../ui/when.ts';
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
}

export function LinkRow({ link, index, count, start, measure, connectionName, otherHost, now, ...can }: LinkRowProps) {
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
        <IconButton
          icon="trash"
          name={t('removeNamed', link.shortUrl)}
          class="link-remove"
          press={() => can.remove(link, index)}
        />
      </div>
    </li>
  );
}
