import { readableUrl } from '@terse/contract/readable-host';
import { useKeepFocus } from '../../components/focus.ts';
import { CopyIcon } from '../../components/icons.tsx';
import { RequestRow } from '../../components/unfinished-requests.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { connectionNames, otherHost } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { statusInList } from '../../format/status-text.ts';
import { isStuck, type ListedRequest } from '../../queue/status/request-status.ts';
import type { Link } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { LISTED } from './popup-state.ts';
import type { PopupStore } from './popup-store.ts';

/**
 * The unfinished requests and the latest links. What the main area shows is left out, so that the lists do not move
 * when a result arrives. If the focused row disappears, the focus moves to the next row.
 */
export function Lists({ store }: { store: PopupStore }) {
  const root = useKeepFocus<HTMLDivElement>();
  const state = store.state.value;
  const requests = store.requests.value.filter(
    ({ request }) => state.kind !== 'pending' || request.id !== state.request.id,
  );
  const links = store.links.value.filter(({ id }) => state.kind !== 'done' || id !== state.link.id);
  return (
    <div class="lists" ref={root}>
      {requests.length > 0 && <Requests requests={requests} store={store} />}
      {links.length > 0 && <LatestLinks links={links} store={store} />}
    </div>
  );
}

/** If all requests are waiting for the same reason, the reason appears once, above the rows. */
function Requests({ requests, store }: { requests: ListedRequest[]; store: PopupStore }) {
  const common = commonReason(requests, store.now.value);
  const names = store.connections.value.length > 1 ? connectionNames(store.connections.value) : null;
  const isWaiting = requests.every(({ request }) => !isStuck(request));
  return (
    <section class="list" aria-labelledby="queue-title">
      <div class="list-head">
        <h2 id="queue-title" class="list-title">
          {isWaiting ? plural('waitingCount', requests.length) : t('queue')}
        </h2>
        <button type="button" class="text-button" onClick={store.openQueue}>
          {t('showAll')}
        </button>
      </div>
      {common !== null && <p class="list-note">{common}</p>}
      <ul>
        {requests.slice(0, LISTED).map((listed) => (
          <li key={listed.request.id} class={`row is-${listed.status.kind}`} data-request={listed.request.id}>
            <RequestRow
              listed={listed}
              common={common}
              connectionName={names?.get(listed.connection.id) ?? null}
              isCompact
              store={store}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Returns the reason why the requests are waiting. Returns null if the reasons differ or if a request is not waiting.
 */
function commonReason(requests: ListedRequest[], now: number): string | null {
  const [first] = requests;
  const reasons = new Set(requests.map(({ status }) => (status.kind === 'waiting' ? status.reason : null)));
  if (!first || reasons.size !== 1 || reasons.has(null)) return null;
  if (reasons.has('offline') && requests.length > 1) return t('waitOfflineMany');
  return statusInList(first.status, first.request.problem, now);
}

function LatestLinks({ links, store }: { links: Link[]; store: PopupStore }) {
  return (
    <section class="list" aria-labelledby="latest-title">
      <div class="list-head">
        <h2 id="latest-title" class="list-title">
          {t('latest')}
        </h2>
        <button type="button" class="text-button" onClick={store.openLinks}>
          {t('allLinks')}
        </button>
      </div>
      <ul>
        {links.slice(0, LISTED).map((link) => {
          const { id, shortUrl, url, title, connectionId } = link;
          const connection = store.connections.value.find((one) => one.id === connectionId);
          return (
            <li key={id} class="row">
              <button
                type="button"
                class="row-text row-open"
                title={t('openNamed', readableUrl(shortUrl))}
                disabled={!isWebUrl(shortUrl)}
                onClick={() => store.open(shortUrl)}
              >
                {title ? <UntrustedText class="line" text={title} /> : <Address url={url} />}
                <ShortAddress url={shortUrl} otherHost={otherHost(link, connection) !== null} />
              </button>
              <div class="row-buttons">
                <CopyIcon text={shortUrl} copier={store} />
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
