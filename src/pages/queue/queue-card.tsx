import { useMemo } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { displayUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { estimateMessage, statusInList } from '../../format/status-text.ts';
import type { ListedRequest } from '../../queue/status/request-status.ts';
import { estimateSends } from '../../queue/status/send-time-estimate.ts';
import type { Queue } from '../../queue/types.ts';
import { cardStateOf, rowsOf } from './queue-model.ts';
import { QueueRows } from './queue-rows.tsx';
import type { QueueActions } from './use-queue-actions.ts';

interface QueueCardProps {
  queue: Queue;
  name: string;
  requests: ListedRequest[];
  now: number;
  handlers: QueueActions;
}

/** Queue of one connection: its state, its requests, and buttons for the whole queue. */
export function QueueCard({ queue, name, requests, now, handlers }: QueueCardProps) {
  const rows = useMemo(() => rowsOf(queue.attempts, requests), [queue, requests]);
  const card = useMemo(() => cardStateOf(queue, requests), [queue, requests]);
  const isSending = card.kind === 'sending';
  const sends = useMemo(() => (isSending ? estimateSends(queue, now) : []), [queue, now, isSending]);
  const { tone, text } = stateText();
  const { blocked } = queue.state;

  function stateText(): { tone: string; text: string } {
    switch (card.kind) {
      case 'paused':
        return { tone: '', text: t('wait_paused') };
      case 'blocked':
        return { tone: 'is-danger', text: t('actionNeeded') };
      case 'waiting':
        return { tone: card.tone, text: statusInList(card.first.status, card.first.request.problem, now) };
      case 'sending': {
        const scheduled = new Set(sends.flatMap(({ requestIds }) => requestIds));
        return { tone: '', text: estimateMessage(sends, scheduled, now) };
      }
      case 'empty':
        return { tone: '', text: requests.length === 0 ? t('queueEmpty') : '' };
    }
  }

  return (
    <section class="card queue" aria-label={name}>
      <div class="queue-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {text && (
          <p class={`queue-state ${tone}`}>
            {tone && <span class="dot" aria-hidden="true" />}
            {text}
          </p>
        )}
        <CardButtons {...{ queue, card, handlers }} />
        {blocked && card.kind === 'blocked' && (
          <p class="queue-reason">{t(`block_${blocked}`, displayUrl(queue.connection.baseUrl).host)}</p>
        )}
      </div>
      {rows.length > 0 && (
        <QueueRows
          {...{ rows, now, sends }}
          common={text}
          cancel={handlers.cancel}
          retry={handlers.retry}
          openGroup={handlers.openGroup}
        />
      )}
    </section>
  );
}

type CardButtonsProps = Pick<QueueCardProps, 'queue' | 'handlers'> & { card: ReturnType<typeof cardStateOf> };

/** Buttons for the whole queue. The button that lets the queue continue is the primary button. */
function CardButtons({ queue: { connection, state }, card, handlers }: CardButtonsProps) {
  const { blocked } = state;
  const isPaused = card.kind === 'paused';
  const tryNow = () => handlers.tryNow(connection.id);
  if (blocked !== null && !isPaused) {
    return (
      <div class="actions">
        {/* The extension cannot detect that the server works again or accepts the key again. */}
        {blocked !== 'permission' && blocked !== 'key_missing' && (
          <button type="button" class="button is-quiet" onClick={tryNow}>
            {t('tryAgain')}
          </button>
        )}
        {blocked === 'permission' ? (
          <button type="button" class="button is-primary" onClick={() => handlers.allowAccess(connection)}>
            {t('allow')}
          </button>
        ) : (
          <button type="button" class="button is-primary" onClick={handlers.openOptions}>
            {t(blocked === 'not_a_service' || blocked === 'redirected' ? 'openOptions' : 'replaceKey')}
          </button>
        )}
      </div>
    );
  }
  return (
    <div class="actions">
      {card.kind === 'waiting' && state.wait && !state.wait.named && (
        <button type="button" class="button" onClick={tryNow}>
          <Icon name="retry" />
          {t('tryNow')}
        </button>
      )}
      <button
        type="button"
        class={`button ${isPaused ? 'is-primary' : 'is-quiet'}`}
        onClick={() => handlers.setOnHold(connection.id, !isPaused)}
      >
        <Icon name={isPaused ? 'play' : 'pause'} />
        {t(isPaused ? 'goOn' : 'pause')}
      </button>
    </div>
  );
}
