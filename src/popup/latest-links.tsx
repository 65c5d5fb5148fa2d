import type { Link } from '../queue/types.ts';
import { Address, ShortAddress } from '../ui/address.tsx';
import { isWebAddress } from '../ui/addresses.ts';
import { type Clipboard, CopyIcon } from '../ui/copy.tsx';
import { t } from '../ui/strings.ts';
import { LISTED } from './stage.ts';

interface LatestLinksProps {
  links: Link[];
  clipboard: Clipboard;
  showAll: () => void;
  open: (url: string) => void;
}

export function LatestLinks({ links, clipboard, showAll, open }: LatestLinksProps) {
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
        {links.slice(0, LISTED).map((link) => (
          <li key={link.id} class="latest">
            <button
              type="button"
              class="latest-open"
              title={t('openNamed', link.shortUrl)}
              disabled={!isWebAddress(link.shortUrl)}
              onClick={() => open(link.shortUrl)}
            >
              <ShortAddress url={link.shortUrl} />
              <span class="latest-title">
                {link.title ? <bdi class="line">{link.title}</bdi> : <Address url={link.url} />}
              </span>
            </button>
            <CopyIcon text={link.shortUrl} clipboard={clipboard} />
          </li>
        ))}
      </ul>
    </section>
  );
}
