import type { Link } from '../queue/types.ts';
import { ShortAddress } from '../ui/address.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';
import { t } from '../ui/strings.ts';
import { useFocus } from '../ui/use-focus.ts';
import { day } from '../ui/when.ts';
import type { Actions } from './actions.ts';

interface ResultCardProps {
  link: Link;
  fresh: boolean;
  now: number;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  actions: Actions;
}

/** The short URL, and what it is good for. */
export function ResultCard({ link, fresh, now, clipboard, showQr, actions }: ResultCardProps) {
  const copied = clipboard.copied === link.shortUrl;
  const focus = useFocus<HTMLButtonElement>(link.id);

  return (
    <div class={`stage result ${fresh ? 'is-fresh' : ''}`} data-link={link.id}>
      <p class="result-url">
        <ShortAddress url={link.shortUrl} />
      </p>
      <p class="result-note">
        <span>{fresh ? savings(link) : t('madeOn', day(link.createdAt, now))}</span>
        {!fresh && (
          <button type="button" class="text-button" onClick={() => actions.shorten(link.url, link.title)}>
            {t('shortenAgain')}
          </button>
        )}
      </p>
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
        <button type="button" class="button" onClick={() => actions.open(link.shortUrl)}>
          <Icon name="open" />
          {t('open')}
        </button>
        <button
          type="button"
          class="button"
          aria-label={t('qrTitle')}
          title={t('qrTitle')}
          onClick={() => showQr(link.shortUrl)}
        >
          <Icon name="qr" />
        </button>
      </div>
    </div>
  );
}

function savings({ url, shortUrl }: Link): string {
  return url.length > shortUrl.length
    ? t('savings', shortUrl.length.toLocaleString(), url.length.toLocaleString())
    : t('readyToShare');
}
