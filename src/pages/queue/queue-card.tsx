import { useMemo, useRef } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { useShowMore } from '../../components/long-list.tsx';
import { RequestRow, remedyLabel } from '../../components/unfinished-requests.tsx';
import { displayUrl } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { estimateMessage, statusInList } from '../../format/status-text.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import { isStuck } from '../../queue/sending.ts';
import { isThrottled, type ListedRequest, queueRemedies } from '../../queue/status.ts';
import type { Queue } from '../../queue/types.ts';
import type { QueueStore } from './queue-store.ts';

interface QueueCardProps {
  queue: Queue;
  name: string;
  requests: ListedRequest[];
  store: QueueStore;
}

/** Queue of one connection: its state, its requests, and buttons for the whole queue. */
export function QueueCard({ queue, name, requests, store }: QueueCardProps) {
  const now = store.now.value;
  const { blocked, paused } = queue.state;
  const moving = requests.filter(({ request }) => !isStuck(request));
  const first = moving.find(({ status }) => !isThrottled(status));
  const isSending = !paused && blocked === null && !first && moving.length > 0;
  const isBlocked = blocked !== null && !paused;
  const isWaiting = !paused && !isBlocked && first !== undefined;
  const isOffline = isWaiting && 'reason' in first.status && first.status.reason === 'offline';
  const tone = isBlocked ? 'is-danger' : isWaiting && !isOffline ? 'is-warning' : '';
  const text = stateText();

  function stateText(): string {
    if (paused) return t('wait_paused');
    if (isBlocked) return t('actionNeeded');
    if (first) return statusInList(first.status, first.request.problem, now);
    if (isSending) return estimateMessage(queue, moving, now);
    return requests.length === 0 ? t('queueEmpty') : '';
  }

  return (
    <section class="card is-list" aria-label={name}>
      <div class="list-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {text && (
          <p class={`queue-state ${tone}`}>
            {tone && <span class="dot" aria-hidden="true" />}
            {text}
          </p>
        )}
        <QueueButtons {...{ queue, isWaiting, store }} />
        {isBlocked && <p class="queue-reason">{t(`block_${blocked}`, displayUrl(queue.connection.baseUrl).host)}</p>}
      </div>
      {requests.length > 0 && <QueueRows {...{ requests, store }} common={text} />}
    </section>
  );
}

/** Buttons for the whole queue. The button that lets a stopped queue continue is the primary button. */
function QueueButtons({ queue, isWaiting, store }: Pick<QueueCardProps, 'queue' | 'store'> & { isWaiting: boolean }) {
  const { connection, state } = queue;
  const [best, other] = queueRemedies(queue);
  const isBlocked = state.blocked !== null && !state.paused;
  const isStopped = isBlocked || state.paused === true;
  const pause = () => void store.change({ type: 'set-paused', connectionId: connection.id, isPaused: true });
  return (
    <div class="actions">
      {other && (
        <button type="button" class="button is-quiet" onClick={() => store.apply(other, connection)}>
          {t('tryAgain')}
        </button>
      )}
      {best && (isStopped || isWaiting) && (
        <button
          type="button"
          class={`button ${isStopped ? 'is-primary' : ''}`}
          onClick={() => store.apply(best, connection)}
        >
          {best === 'try_now' && <Icon name="retry" />}
          {best === 'resume' && <Icon name="play" />}
          {remedyLabel(best)}
        </button>
      )}
      {!isStopped && (
        <button type="button" class="button is-quiet" onClick={pause}>
          <Icon name="pause" />
          {t('pause')}
        </button>
      )}
    </div>
  );
}

interface RowsProps {
  requests: ListedRequest[];
  /** Text of the card about all its requests. */
  common: string;
  store: QueueStore;
}

function QueueRows({ requests, common, store }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const rows = useMemo(() => rowsOf(requests), [requests]);
  const { shown, more } = useShowMore(rows, list, '.row');
  return (
    <>
      <ul ref={list} class="rows">
        {shown.map(([first, ...others]) => (
          <li key={first.request.id} class="row">
            {first.request.listId !== null && first.request.state === 'waiting' ? (
              <ListRow listId={first.request.listId} count={others.length + 1} />
            ) : (
              <RequestRow listed={first} {...{ common, store }} />
            )}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** Row for the waiting requests of a bulk list. This page can also show the list alone, and cancel it there. */
function ListRow({ listId, count }: { listId: string; count: number }) {
  return (
    <>
      <Icon name="bulk" class="row-icon" />
      <div class="row-text">{plural('groupTitle', count)}</div>
      <div class="row-buttons">
        <a class="button" href={pageAddress('queue', `list=${listId}`)}>
          {t('groupShow')}
        </a>
      </div>
    </>
  );
}

type RequestsOfRow = [ListedRequest, ...ListedRequest[]];

/**
 * Returns the requests of each row. Requests that need the user come first, then those that were sent, then the others
 * in the order of sending. Waiting requests of the same list share a row if they follow each other.
 */
function rowsOf(requests: ListedRequest[]): RequestsOfRow[] {
  const rank = ({ request }: ListedRequest) => (isStuck(request) ? 0 : request.state === 'waiting' ? 2 : 1);
  const rows: RequestsOfRow[] = [];
  for (const listed of requests.toSorted((one, other) => rank(one) - rank(other))) {
    const before = rows.at(-1)?.[0].request;
    const { listId, state } = listed.request;
    const isSameList = listId !== null && before?.listId === listId && before.state === 'waiting';
    if (isSameList && state === 'waiting') rows.at(-1)?.push(listed);
    else rows.push([listed]);
  }
  return rows;
}
