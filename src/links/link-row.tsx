import type { Link } from '../queue/types.ts';
import { isWebAddress } from '../target/target.ts';
import { Address, ShortAddress } from '../ui/address.tsx';
import { type Clipboard, CopyIcon } from '../ui/copy.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { t } from '../ui/strings.ts';
import { day } from '../ui/when.ts';
import type { LinksHandlers } from './handlers.ts';

interface LinkRowProps {
  link: Link;
  now: number;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  remove: (link: Link) => void;
  open: LinksHandlers['open'];
}

export function LinkRow({ link, now, clipboard, showQr, remove, open }: LinkRowProps) {
  return (
    <li class="link" data-link={link.id}>
      <div class="link-text">
        <span class="link-head">
          <ShortAddress url={link.shortUrl} />
          {link.title && (
            <bdi class="link-title line" title={link.title}>
              {link.title}
            </bdi>
          )}
        </span>
        <Address url={link.url} />
      </div>
      <time class="link-day" dateTime={new Date(link.createdAt).toISOString()}>
        {day(link.createdAt, now)}
      </time>
      <div class="link-actions">
        <CopyIcon text={link.shortUrl} clipboard={clipboard} />
        <IconButton
          icon="open"
          name={t('openNamed', link.shortUrl)}
          disabled={!isWebAddress(link.shortUrl)}
          press={() => open(link.shortUrl)}
        />
        <IconButton icon="qr" name={t('qrNamed', link.shortUrl)} press={() => showQr(link.shortUrl)} />
        <IconButton
          icon="trash"
          name={t('removeNamed', link.shortUrl)}
          class="link-remove"
          press={() => remove(link)}
        />
      </div>
    </li>
  );
}
