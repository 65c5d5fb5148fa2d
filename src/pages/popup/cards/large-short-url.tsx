import { Icon, type IconName } from '../../../components/icons.tsx';
import { ShortAddress, UntrustedText } from '../../../components/url-and-title.tsx';
import { displayText } from '../../../format/display-text.ts';
import { t } from '../../../format/i18n.ts';
import { isWebUrl } from '../../../urls/shortenable-url-rules.ts';
import type { CurrentTarget } from '../read-current-tab.ts';

interface ShortUrlHeadProps {
  target: CurrentTarget;
  shortUrl: string;
  /** True if the host of the short URL differs from the server's usual host. */
  isElsewhere?: boolean;
  /** Short text before the title. It is never cut off. */
  note: { text: string; tone: string; icon?: IconName } | null;
  /** Opens the short URL. If `open` is absent, the short URL is shown as plain text. */
  open?: (() => void) | undefined;
}

/** A short URL in large text, with the page title below it. */
export function ShortUrlHead({ target, shortUrl, isElsewhere = false, note, open }: ShortUrlHeadProps) {
  const { title, isOther, url } = target;
  const text = displayText(title) || displayText(url ?? '') || t(isOther ? 'typedUrl' : 'untitled');
  const address = <ShortAddress url={shortUrl} otherHost={isElsewhere} />;
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
        {note && (
          <strong class={note.tone}>
            {note.icon && <Icon name={note.icon} />}
            {note.text}
          </strong>
        )}
        <h2>
          <UntrustedText class="line" text={text} />
        </h2>
      </div>
    </>
  );
}
