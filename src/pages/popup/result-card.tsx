import { Icon, type IconName } from '../../components/icons.tsx';
import { ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText, otherHost } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Link } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { Card, type MainAction } from './card.tsx';
import type { PopupStore } from './popup-store.ts';
import type { CurrentTarget } from './read-tab.ts';

/** Returns the button that copies a short URL. */
export function copyAction(shortUrl: string, { copied, copy }: PopupStore): MainAction {
  const isCopied = copied.value === shortUrl;
  return {
    icon: 'copy',
    name: t(isCopied ? 'copyAgain' : 'copy'),
    press: () => void copy(shortUrl),
    look: isCopied ? '' : 'is-primary',
  };
}

/** Shows the short URL, with buttons to copy it, open it and show its QR code. */
export function ResultCard({ link, store }: { link: Link; store: PopupStore }) {
  const { tab, target, connections, copied, qr, open } = store;
  const { shortUrl } = link;
  const connection = connections.value.find(({ id }) => id === link.connectionId);
  const isOtherHost = otherHost(link, connection) !== null;
  const warning = isOtherHost ? t('onOtherHost') : target.value.userInfoRemoved ? t('userInfoRemoved') : null;
  const note =
    warning !== null
      ? { text: warning, tone: 'is-warning' }
      : copied.value === shortUrl
        ? { text: t('copied'), tone: 'is-good', icon: 'check' as const }
        : null;
  const showQr = () => {
    qr.value = shortUrl;
  };
  return (
    <Card
      store={store}
      focusKey={link.id}
      head={
        <ShortUrlHead
          target={target.value}
          {...{ shortUrl, isOtherHost, note }}
          // In a private window, the short URL is plain text, because the browser's context menu would open it in an
          // ordinary window.
          open={tab.private ? undefined : () => open(shortUrl)}
        />
      }
      main={copyAction(shortUrl, store)}
      note={
        <>
          <button type="button" class="button is-wide" onClick={showQr}>
            <Icon name="qr" />
            {t('qrTitle')}
          </button>
          <button type="button" class="button is-wide" onClick={() => open(shortUrl)}>
            <Icon name="open" />
            {t('open')}
          </button>
        </>
      }
    />
  );
}

interface ShortUrlHeadProps {
  target: CurrentTarget;
  shortUrl: string;
  /** True if the host of the short URL differs from the server's usual host. */
  isOtherHost?: boolean;
  /** Short text before the title. It is never cut off. */
  note: { text: string; tone: string; icon?: IconName } | null;
  /** Opens the short URL. If `open` is absent, the short URL is shown as plain text. */
  open?: (() => void) | undefined;
}

/** A short URL in large text, with the page title below it. */
export function ShortUrlHead({ target, shortUrl, isOtherHost = false, note, open }: ShortUrlHeadProps) {
  const { title, isOther, url } = target;
  const text = displayText(title) || displayText(url ?? '') || t(isOther ? 'typedUrl' : 'untitled');
  const address = <ShortAddress url={shortUrl} otherHost={isOtherHost} />;
  const follow = (event: Event) => {
    // `open` opens the link, if necessary in a private window. The browser must not open the link a second time.
    event.preventDefault();
    open?.();
  };
  return (
    <>
      <p class="stage-url">
        {open && isWebUrl(shortUrl) ? (
          <a href={shortUrl} onClick={follow} onAuxClick={follow}>
            {address}
          </a>
        ) : (
          address
        )}
      </p>
      <div class="stage-line">
        {note?.icon && <Icon name={note.icon} class={note.tone} />}
        {note && <strong class={note.tone}>{note.text}</strong>}
        <h2>
          <UntrustedText class="line" text={text} />
        </h2>
      </div>
    </>
  );
}
