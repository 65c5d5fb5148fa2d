import type { Connection, Link } from '../queue/types.ts';
import { isWebAddress } from '../target/target.ts';
import { Address, ShortAddress } from '../ui/address.tsx';
import { otherHost } from '../ui/addresses.ts';
import { type Clipboard, CopyIcon } from '../ui/copy.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { t } from '../ui/strings.ts';
import { LISTED } from './popup-state.ts';

interface LatestLinksProps {
  links: Link[];
  connections: Connection[];
  clipboard: Clipboard;
  showAll: () => void;
  open: (url: string) => void;
}

export function LatestLinks({ links, connections, clipboard, showAll, open }: LatestLinksProps) {
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
        {links.slice(0, LISTED).map(({ id, shortUrl, url, title, connectionId, replaces, unconfirmed }) => (
          <li key={id} class="latest">
            <button
              type="button"
              class="latest-open"
              title={t('openNamed', shortUrl)}
              disabled={!isWebAddress(shortUrl)}
              onClick={() => open(shortUrl)}
            >
              <ShortAddress
                url={shortUrl}
                otherHost={
                  otherHost(
                    { shortUrl, unconfirmed },
                    connections.find((one) => one.id === connectionId),
                  ) !== null
                }
              />
              <span class="latest-title">
                {title ? <ForeignText class="line" text={title} /> : <Address url={url} />}
              </span>
              {replaces !== undefined && <span class="result-warning">{t('replaced', replaces)}</span>}
            </button>
            <CopyIcon text={shortUrl} clipboard={clipboard} />
          </li>
        ))}
      </ul>
    </section>
  );
}
