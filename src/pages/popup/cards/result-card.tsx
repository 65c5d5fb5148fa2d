import { busyButtonProps } from '../../../components/busy-button.ts';
import { type Clipboard, QrButton } from '../../../components/copy-button.tsx';
import { useAutofocus } from '../../../components/hooks/use-autofocus.ts';
import { Icon } from '../../../components/icons.tsx';
import type { FormTarget } from '../../../components/link-form/link-form-values.ts';
import { ShortAddress } from '../../../components/url-and-title.tsx';
import { otherHost } from '../../../format/display-text.ts';
import { formatNumber, plural, t } from '../../../format/i18n.ts';
import { formatDay } from '../../../format/relative-time.ts';
import type { Connection, Link } from '../../../queue/types.ts';
import type { PopupActions } from '../use-popup-actions.ts';

interface ResultCardProps {
  link: Link;
  fresh: boolean;
  /** Connection that created the link, if it still exists. */
  connection: Connection | undefined;
  now: number;
  /** True while another link for the URL is being requested. */
  isAsking: boolean;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  more: ((about?: Partial<FormTarget>) => void) | null;
  handlers: PopupActions;
}

/** Shows the short URL, with buttons to copy, open and share it. */
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
  const focus = useAutofocus<HTMLButtonElement>(link.id);
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
          <span>{fresh ? savings(link) : t('madeOn', formatDay(link.createdAt, now))}</span>
        ) : (
          <bdi class="result-host">{t('otherHost', host)}</bdi>
        )}
        {!fresh && connection && (
          <button type="button" class="text-button" {...busyButtonProps(isAsking)} onClick={again}>
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
  return url.length > shortUrl.length
    ? plural('savings', shortUrl.length, formatNumber(url.length))
    : t('readyToShare');
}
