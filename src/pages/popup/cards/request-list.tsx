import { useState } from 'preact/hooks';
import type { Clipboard } from '../../../components/copy-button.tsx';
import { Icon, IconButton } from '../../../components/icons.tsx';
import { UntrustedText } from '../../../components/url-and-title.tsx';
import { formatNumber, t } from '../../../format/i18n.ts';
import { statusInList } from '../../../format/status-text.ts';
import { promisedShortUrl } from '../../../queue/short-code-generator.ts';
import type { ListedRequest, RequestStatus } from '../../../queue/status/request-status.ts';
import type { PopupActions } from '../use-popup-actions.ts';
import { RequestButtons } from './request-buttons.tsx';
import { statusIcon } from './waiting-card.tsx';

/** Number of requests shown before the user expands the list. */
const FIRST = 3;

/**
 * Maximum number of requests in the expanded list. The queue page shows longer lists. That page may be in a normal
 * window without private requests, so a private popup shows all.
 */
const MOST = 50;

interface RequestListProps {
  requests: ListedRequest[];
  /** True if the popup belongs to a private window. */
  isPrivate: boolean;
  /** Names of the connections. Null if there is only one. */
  names: Map<string, string> | null;
  now: number;
  clipboard: Clipboard;
  handlers: PopupActions;
}

/** Pending requests and their status, uncertain ones and failed ones. */
export function RequestList({ requests, isPrivate, names, now, clipboard, handlers }: RequestListProps) {
  const [all, setAll] = useState(false);
  const fits = isPrivate || requests.length <= MOST;
  const listed = all && fits ? requests : requests.slice(0, FIRST);
  return (
    <section class="list" aria-labelledby="queue-title">
      <div class="list-head">
        <h2 id="queue-title" class="list-title">
          {t('queue')}
          <span class="count">{formatNumber(requests.length)}</span>
        </h2>
        <button type="button" class="text-button" onClick={handlers.openQueue}>
          {t('manage')}
        </button>
      </div>
      <ul>
        {listed.map((one) => {
          const name = one.connection && names?.get(one.connection.id);
          const shown = { connectionName: name ?? null, now, clipboard, handlers };
          return <RequestRow key={one.request.id} {...one} {...shown} />;
        })}
      </ul>
      {requests.length > FIRST && (
        <button
          type="button"
          class="text-button"
          aria-expanded={fits ? all : undefined}
          onClick={() => (fits ? setAll(!all) : handlers.openQueue())}
        >
          {all && fits ? t('showFewer') : t('showAll', formatNumber(requests.length))}
        </button>
      )}
    </section>
  );
}

interface RequestRowProps extends ListedRequest {
  connectionName: string | null;
  now: number;
  clipboard: Clipboard;
  handlers: PopupActions;
}

function RequestRow({ connectionName, now, clipboard, handlers, ...listed }: RequestRowProps) {
  const { request, status, connection } = listed;
  const { problem, title, url, handedOut } = request;
  const shortUrl = promisedShortUrl(request, connection);
  const copied = clipboard.copied === shortUrl;
  const copy = (text: string) => {
    clipboard.copy(text);
    handlers.handOut(request, text);
  };
  return (
    <li class={`request is-${status.kind}`} data-request={request.id}>
      <Icon name={statusIcon(status)} class="request-icon" />
      <div class="request-text">
        <UntrustedText class="request-title line" text={title || url} hover={url} />
        <span class="request-why">
          {connectionName !== null && (
            <>
              <span class="request-of">
                <bdi class="request-connection">{connectionName}</bdi>
                {'\u00A0·'}
              </span>{' '}
            </>
          )}
          {statusInList(status, problem, now)}
        </span>
        {status.kind === 'failed' && problem?.message && (
          <UntrustedText class="request-words line" text={problem.message} />
        )}
        {isNotTheirs(status, handedOut, shortUrl) && (
          <span class="result-warning">
            {t(status.kind === 'failed' ? 'handedOutDead' : 'replaced', handedOut ?? '')}
          </span>
        )}
      </div>
      {shortUrl !== null && (
        <IconButton
          icon={copied ? 'check' : 'copy'}
          name={t(copied ? 'copiedNamed' : 'copyNowNamed', shortUrl)}
          class={copied ? 'is-done' : ''}
          press={() => copy(shortUrl)}
        />
      )}
      <RequestButtons {...listed} compact handlers={handlers} />
    </li>
  );
}

/** True if the user copied a short URL that the request will not get. An uncertain request may still get it. */
function isNotTheirs({ kind }: RequestStatus, handedOut: string | undefined, shortUrl: string | null): boolean {
  return handedOut !== undefined && handedOut !== shortUrl && kind !== 'undecided';
}
