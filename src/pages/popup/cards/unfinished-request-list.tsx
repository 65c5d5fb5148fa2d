import { readableUrl } from '@terse/contract/readable-host';
import type { Clipboard } from '../../../components/copy-button.tsx';
import { IconButton } from '../../../components/icons.tsx';
import { cancelName, tryAgain, tryAgainName } from '../../../components/request-buttons.tsx';
import { ServerMessage, UntrustedText } from '../../../components/url-and-title.tsx';
import { plural, t } from '../../../format/i18n.ts';
import { statusInList } from '../../../format/status-text.ts';
import { promisedShortUrl } from '../../../queue/short-code-generator.ts';
import type { ListedRequest } from '../../../queue/status/request-status.ts';
import type { PopupActions } from '../use-popup-actions.ts';

/** Maximum number of requests in the list. The queue page shows all requests. */
const LISTED = 3;

interface RequestListProps {
  requests: ListedRequest[];
  /** Names of the connections. Null if there is only one connection. */
  names: Map<string, string> | null;
  now: number;
  clipboard: Clipboard;
  handlers: PopupActions;
}

/**
 * List of requests that have no link yet. Only the first `LISTED` requests are shown. If all requests are waiting for
 * the same reason, the reason appears once, above the rows.
 */
export function RequestList({ requests, names, now, clipboard, handlers }: RequestListProps) {
  const common = commonReason(requests, now);
  const isWaiting = requests.every(({ status }) => status.kind !== 'failed' && status.kind !== 'uncertain');
  return (
    <section class="list" aria-labelledby="queue-title">
      <div class="list-head">
        <h2 id="queue-title" class="list-title">
          {isWaiting ? plural('waitingCount', requests.length) : t('queue')}
        </h2>
        <button type="button" class="text-button" onClick={handlers.openQueue}>
          {t('showAll')}
        </button>
      </div>
      {common !== null && <p class="list-note">{common}</p>}
      <ul>
        {requests.slice(0, LISTED).map((one) => {
          const name = (one.connection && names?.get(one.connection.id)) ?? null;
          const reason = common === null ? statusInList(one.status, one.request.problem, now) : null;
          const shown = { connectionName: name, reason, clipboard, handlers };
          return <RequestRow key={one.request.id} {...one} {...shown} />;
        })}
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

interface RequestRowProps extends ListedRequest {
  connectionName: string | null;
  /** Reason why the request waits. Null if the list already shows this reason above its rows. */
  reason: string | null;
  clipboard: Clipboard;
  handlers: PopupActions;
}

function RequestRow({ connectionName, reason, clipboard, handlers, ...listed }: RequestRowProps) {
  const { request, status, connection } = listed;
  const { problem, title, url } = request;
  const shortUrl = promisedShortUrl(request, connection);
  const copied = clipboard.copied === shortUrl;
  return (
    <li class={`row is-${status.kind}`} data-request={request.id}>
      <div class="row-text">
        <UntrustedText class="line" text={title || url} hover={url} />
        {(connectionName !== null || reason !== null) && (
          <span class="row-why">
            {connectionName !== null && <bdi class="row-connection line">{connectionName}</bdi>}
            {reason !== null && <span>{reason}</span>}
          </span>
        )}
        {status.kind === 'failed' && problem?.message && (
          <span class="row-message line">
            <ServerMessage text={problem.message} />
          </span>
        )}
      </div>
      <div class="row-buttons">
        {shortUrl !== null && (
          <IconButton
            icon={copied ? 'check' : 'copy'}
            name={t(copied ? 'copiedNamed' : 'copyNowNamed', readableUrl(shortUrl))}
            class={copied ? 'is-done' : ''}
            press={() => clipboard.copy(shortUrl)}
          />
        )}
        <RowButtons {...listed} handlers={handlers} />
      </div>
    </li>
  );
}

/** Icon buttons of a request in a list: retry, and cancel or dismiss. A request that is being sent has no buttons. */
function RowButtons({ handlers, ...listed }: ListedRequest & { handlers: PopupActions }) {
  const { request, status } = listed;
  if (status.kind === 'sending') return null;
  const again = tryAgain(listed, handlers);
  return (
    <>
      {again && <IconButton icon="retry" name={tryAgainName(listed)} press={again} />}
      <IconButton icon="trash" name={cancelName(listed)} press={() => handlers.cancel(request.id)} />
    </>
  );
}
