import { useRef } from 'preact/hooks';
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
  const list = useRef<HTMLUListElement>(null);
  const { shown, more } = useShowMore(rowsOf(requests), list, '.row');
  const { tone, text } = stateOf(queue, requests, store.now.value);
  const { blocked, paused } = queue.state;
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
        {blocked && !paused && (
          <p class="queue-reason">{t(`block_${blocked}`, displayUrl(queue.connection.baseUrl).host)}</p>
        )}
        <QueueButtons queue={queue} hasRequests={requests.length > 0} store={store} />
      </div>
      {requests.length > 0 && (
        <ul ref={list} class="rows">
          {shown.map(([key, row]) => (
            <li key={key} class="row">
              <Row requests={row} common={text} store={store} />
            </li>
          ))}
        </ul>
      )}
      {more}
    </section>
  );
}

/** Returns the state of a queue, and its color. */
function stateOf({ state, ...queue }: Queue, requests: ListedRequest[], now: number): { tone: string; text: string } {
  if (state.paused) return { tone: '', text: t('wait_paused') };
  if (state.blocked !== null) return { tone: 'is-danger', text: t('actionNeeded') };
  const moving = requests.filter(({ request }) => !isStuck(request));
  const first = moving.find(({ status }) => !isThrottled(status));
  if (first) {
    const isOffline = 'reason' in first.status && first.status.reason === 'offline';
    return { tone: isOffline ? '' : 'is-warning', text: statusInList(first.status, first.request.problem, now) };
  }
  if (moving.length > 0) return { tone: '', text: estimateMessage({ state, ...queue }, moving, now) };
  return { tone: '', text: requests.length === 0 ? t('queueEmpty') : '' };
}

interface QueueButtonsProps {
  queue: Queue;
  hasRequests: boolean;
  store: QueueStore;
}

/** Buttons for the whole queue. The button that lets a stopped queue continue is the primary button. */
function QueueButtons({ queue, hasRequests, store }: QueueButtonsProps) {
  const { connection, state } = queue;
  const [best, other] = queueRemedies(queue);
  const isStopped = state.blocked !== null || state.paused === true;
  const pause = () => void store.change({ type: 'set-paused', connectionId: connection.id, isPaused: true });
  return (
    <div class="actions">
      {other && (
        <button type="button" class="button is-quiet" onClick={() => store.apply(other, connection)}>
          {t('tryAgain')}
        </button>
      )}
      {best && (isStopped || hasRequests) && (
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

interface RowProps {
  requests: ListedRequest[];
  /** Text of the card about all its requests. */
  common: string;
  store: QueueStore;
}

/** A request, or the waiting requests of a bulk list. This page can also show the list alone, and cancel it there. */
function Row({ requests, common, store }: RowProps) {
  const [first] = requests;
  if (!first) return null;
  const { listId, state } = first.request;
  if (listId === null || state !== 'waiting') return <RequestRow listed={first} common={common} store={store} />;
  return (
    <>
      <Icon name="bulk" class="row-icon" />
      <div class="row-text">{plural('groupTitle', requests.length)}</div>
      <div class="row-buttons">
        <a class="button" href={pageAddress('queue', `list=${listId}`)}>
          {t('groupShow')}
        </a>
      </div>
    </>
  );
}

/**
 * Returns the requests of each row. Requests that need the user come first, then those that were sent, then the others
 * in the order of sending. The waiting requests of a list share a row.
 */
function rowsOf(requests: ListedRequest[]): [key: string, requests: ListedRequest[]][] {
  const rank = ({ request }: ListedRequest) => (isStuck(request) ? 0 : request.state === 'waiting' ? 2 : 1);
  const sorted = requests.toSorted((one, other) => rank(one) - rank(other));
  return [...Map.groupBy(sorted, ({ request: { id, listId, state } }) => (state === 'waiting' && listId) || id)];
}
