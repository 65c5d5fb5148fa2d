import { useState } from 'preact/hooks';
import { ForeignText } from '../ui/foreign-text.tsx';
import { Icon } from '../ui/icons.tsx';
import type { ListedRequest } from '../ui/listed-requests.ts';
import { statusInList } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import { statusIcon } from './pending-card.tsx';
import type { PopupHandlers } from './popup-handlers.ts';
import { RequestButtons } from './request-buttons.tsx';

/** Requests shown before the person asks for the rest. */
const FIRST = 3;

interface RequestListProps {
  requests: ListedRequest[];
  /** What connections are called; null where there are not two to tell apart. */
  names: Map<string, string> | null;
  now: number;
  handlers: PopupHandlers;
}

/** What is waiting and why, what needs a decision, and what failed. */
export function RequestList({ requests, names, now, handlers }: RequestListProps) {
  const [all, setAll] = useState(false);
  const listed = all ? requests : requests.slice(0, FIRST);
  return (
    <section class="list" aria-labelledby="queue-title">
      <h2 id="queue-title" class="list-title">
        {t('queue')}
        <span class="count">{requests.length.toLocaleString()}</span>
      </h2>
      <ul>
        {listed.map((one) => {
          const name = one.connection && names?.get(one.connection.id);
          return (
            <RequestRow key={one.request.id} {...one} connectionName={name ?? null} now={now} handlers={handlers} />
          );
        })}
      </ul>
      {requests.length > FIRST && (
        <button type="button" class="text-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('showFewer') : t('showAll', requests.length.toLocaleString())}
        </button>
      )}
    </section>
  );
}

interface RequestRowProps extends ListedRequest {
  connectionName: string | null;
  now: number;
  handlers: PopupHandlers;
}

function RequestRow({ connectionName, now, handlers, ...listed }: RequestRowProps) {
  const { request, status } = listed;
  const { problem, title, url } = request;
  return (
    <li class={`request is-${status.kind}`} data-request={request.id}>
      <Icon name={statusIcon(status)} class="request-icon" />
      <div class="request-text">
        <ForeignText class="request-title line" text={title || url} hover={url} />
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
          <ForeignText class="request-words line" text={problem.message} />
        )}
      </div>
      <RequestButtons {...listed} compact handlers={handlers} />
    </li>
  );
}
