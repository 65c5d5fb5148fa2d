import type { FormTarget } from '../link-form/form-target.ts';
import type { Connection, Link } from '../queue/types.ts';
import { ShortAddress } from '../ui/address.tsx';
import { otherHost } from '../ui/addresses.ts';
import { busyWhile } from '../ui/busy.ts';
import type { Clipboard } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';
import { number, plural, t } from '../ui/strings.ts';
import { useFocus } from '../ui/use-focus.ts';
import { day } from '../ui/when.ts';
import type { PopupHandlers } from './popup-handlers.ts';
import { QrButton } from './qr-button.tsx';

interface ResultCardProps {
  link: Link;
  fresh: boolean;
  /** The connection that made it, if it is still there. */
  connection: Connection | undefined;
  now: number;
  /** Another short URL of it is being asked for. */
  isAsking: boolean;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  more: ((about?: Partial<FormTarget>) => void) | null;
  handlers: PopupHandlers;
}

/** The short URL, and what it is good for. */
export function ResultCard({
  link,
  fresh,
  connection,
  now,
  isAsking,
  clipboard,
  showQr,
  more,
  handlers,
}: ResultCardProps) {
  const copied = clipboard.copied === link.shortUrl;
  const focus = useFocus<HTMLButtonElement>(link.id);
  const host = otherHost(link, connection);
  const again = () =>
    !isAsking && void handlers.shortenAnew({ url: link.url, title: link.title, userInfoRemoved: false });

  return (
    <div class={`state result ${fresh ? 'is-fresh' : ''}`} data-link={link.id}>
      <p class="result-url">
        <ShortAddress url={link.shortUrl} otherHost={host !== null} />
      </p>
      <p class="result-note">
        {host === null ? (
          <span>{fresh ? savings(link) : t('madeOn', day(link.createdAt, now))}</span>
        ) : (
          <bdi class="result-host">{t('otherHost', host)}</bdi>
        )}
        {!fresh && connection && (
          <button type="button" class="text-button" {...busyWhile(isAsking)} onClick={again}>
            {t('shortenAgain')}
          </button>
        )}
        {!fresh && connection && more && (
          <button type="button" class="text-button" onClick={() => more()}>
            {t('more')}
          </button>
        )}
      </p>
      {link.replaces !== undefined && <p class="result-warning">{t('replaced', link.replaces)}</p>}
      <div class="actions">
        <button
          ref={focus}
          type="button"
          class={`button is-primary is-wide ${copied ? 'is-done' : ''}`}
          onClick={() => clipboard.copy(link.shortUrl)}
        >
          <Icon name={copied ? 'check' : 'copy'} />
          {t(copied ? 'copied' : 'copy')}
        </button>
        <button type="button" class="button" onClick={() => handlers.open(link.shortUrl)}>
          <Icon name="open" />
          {t('open')}
        </button>
        <QrButton show={() => showQr(link.shortUrl)} />
      </div>
    </div>
  );
}

function savings({ url, shortUrl }: Link): string {
  return url.length > shortUrl.length ? plural('savings', shortUrl.length, number(url.length)) : t('readyToShare');
}
