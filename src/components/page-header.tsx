import { formatNumber, plural, t } from '../format/i18n.ts';
import { type PageName, pageAddress } from '../messages/open-page-with-data.ts';
import { countRequests } from '../queue/status.ts';
import type { VisibleQueues } from '../queue/types.ts';
import { Icon, Mark } from './icons.tsx';

/** The pages and their names, in the order of the header. Each icon has the same name as its page. */
const PAGES = [
  ['links', 'linksTitle'],
  ['bulk', 'manyTitle'],
  ['queue', 'queue'],
  ['options', 'options'],
] as const;

interface PageHeaderProps {
  current: PageName;
  view: VisibleQueues;
}

/**
 * Header of every page that opens in a tab: the product name, and links to the pages. In a narrow window, only the
 * icons are visible.
 */
export function PageHeader({ current, view }: PageHeaderProps) {
  return (
    <header class="site-head">
      <div class="site-head-row">
        <Mark />
        <span class="site-name">{t('extensionName')}</span>
        <nav aria-label={t('extensionName')}>
          <ul class="site-pages">
            {PAGES.map(([page, name]) => (
              <li key={page}>
                <a
                  class="site-page"
                  href={pageAddress(page)}
                  title={t(name)}
                  aria-current={page === current ? 'page' : undefined}
                >
                  <Icon name={page} />
                  <span class="site-page-name">{t(name)}</span>
                  {page === 'queue' && <QueueBadge view={view} />}
                  {page === 'options' && <OptionsBadge view={view} />}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}

/** Number of requests that need the user's action, in red. If there are none, the number of waiting requests. */
function QueueBadge({ view }: { view: VisibleQueues }) {
  const { all, needUser } = countRequests(view);
  if (all === 0) return null;
  const count = needUser || all;
  return (
    <>
      <span class={`count ${needUser > 0 ? 'is-danger' : ''}`} aria-hidden="true">
        {formatNumber(Math.min(count, 99)) + (count > 99 ? '+' : '')}
      </span>
      <span class="visually-hidden">{plural(needUser > 0 ? 'needYouCount' : 'waitingCount', count)}</span>
    </>
  );
}

/** Red dot that appears while a connection is blocked. The user can fix the problem on the options page. */
function OptionsBadge({ view }: { view: VisibleQueues }) {
  if (view.queues.every(({ state }) => state.blocked === null)) return null;
  return (
    <>
      <span class="dot is-danger" aria-hidden="true" />
      <span class="visually-hidden">{t('actionNeeded')}</span>
    </>
  );
}
