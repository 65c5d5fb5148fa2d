import { readableUrl } from '@terse/contract/readable-host';
import { type Clipboard, CopyIcon } from '../../components/copy-button.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { otherHost } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { LISTED } from './popup-state.ts';

interface LatestLinksProps {
  links: Link[];
  connections: Connection[];
  clipboard: Clipboard;
  showAll: () => void;
  open: (url: string) => void;
}

export function RecentLinks({ links, connections, clipboard, showAll, open }: LatestLinksProps) {
  return (
    <section class="list" aria-labelledby="latest-title">
      <div class="list-head">
        <h2 id="latest-title" class="list-title">
          {t('latest')}
        </h2>
        <button type="button" class="text-button" onClick={showAll}>
          {t('allLinks')}
        </button>
      </div>
      <ul>
        {links.slice(0, LISTED).map((link) => {
          const { id, shortUrl, url, title, connectionId } = link;
          const connection = connections.find((one) => one.id === connectionId);
          return (
            <li key={id} class="row">
              <button
                type="button"
                class="row-text row-open"
                title={t('openNamed', readableUrl(shortUrl))}
                disabled={!isWebUrl(shortUrl)}
                onClick={() => open(shortUrl)}
              >
                {title ? <UntrustedText class="line" text={title} /> : <Address url={url} />}
                <ShortAddress url={shortUrl} otherHost={otherHost(link, connection) !== null} />
              </button>
              <div class="row-buttons">
                <CopyIcon text={shortUrl} clipboard={clipboard} />
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
