import type { ComponentChild } from 'preact';
import { useAutofocus } from '../../../components/hooks/use-autofocus.ts';
import { Icon } from '../../../components/icons.tsx';
import { otherHost } from '../../../format/display-text.ts';
import { t } from '../../../format/i18n.ts';
import type { Connection, Link } from '../../../queue/types.ts';
import { type CardProps, SiteTile, Stage } from './card-layout.tsx';
import { ShortUrlHead } from './large-short-url.tsx';

interface ResultCardProps extends CardProps {
  link: Link;
  /** Connection that created the link. Undefined if the connection was deleted. */
  connection: Connection | undefined;
  end: ComponentChild;
}

/** Shows the short URL, with buttons to copy it, open it and show its QR code. */
export function ResultCard({ link, connection, target, isPrivate, clipboard, showQr, end, handlers }: ResultCardProps) {
  const copied = clipboard.copied === link.shortUrl;
  const focus = useAutofocus<HTMLButtonElement>(link.id);
  const isElsewhere = otherHost(link, connection) !== null;
  const open = () => handlers.open(link.shortUrl);
  // In a private window, the short URL is plain text, because the browser's context menu would open it in an ordinary
  // window.
  const follow = isPrivate ? undefined : open;
  const note = isElsewhere
    ? { text: t('onOtherHost'), tone: 'is-warning' }
    : target.userInfoRemoved
      ? { text: t('userInfoRemoved'), tone: 'is-warning' }
      : copied
        ? { text: t('copied'), tone: 'is-good', icon: 'check' as const }
        : null;
  return (
    <Stage
      tile={<SiteTile target={target} />}
      head={<ShortUrlHead target={target} shortUrl={link.shortUrl} {...{ isElsewhere, note }} open={follow} />}
      end={end}
      actions={
        <button
          ref={focus}
          type="button"
          class={`button is-large ${copied ? '' : 'is-primary'}`}
          onClick={() => clipboard.copy(link.shortUrl)}
        >
          <Icon name="copy" />
          {t(copied ? 'copyAgain' : 'copy')}
        </button>
      }
      note={
        <>
          <button type="button" class="button is-wide" onClick={() => showQr(link.shortUrl)}>
            <Icon name="qr" />
            {t('qrTitle')}
          </button>
          <button type="button" class="button is-wide" onClick={open}>
            <Icon name="open" />
            {t('open')}
          </button>
        </>
      }
    />
  );
}
