import { useMemo, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { BlockNotice, ConnectionState } from '../../components/connection-notice.tsx';
import { Icon } from '../../components/icons.tsx';
import { QuotaMeter } from '../../components/quota-meter.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { estimateMessage } from '../../format/status-text.ts';
import { type ListedRequest, quotaLeft } from '../../queue/status/request-status.ts';
import { estimateSends } from '../../queue/status/send-time-estimate.ts';
import type { Queue } from '../../queue/types.ts';
import { lineOf, QueueRows, rowsOf } from './queue-rows.tsx';
import type { QueueActions } from './use-queue-actions.ts';

interface QueueCardProps {
  queue: Queue;
  name: string;
  requests: ListedRequest[];
  now: number;
  handlers: QueueActions;
}

/** Queue of one connection: its quota, what blocks it, and its requests. */
export function QueueCard({ queue, name, requests, now, handlers }: QueueCardProps) {
  const { connection, state } = queue;
  const [openLists, setOpenLists] = useState<ReadonlySet<string>>(new Set());
  const [cancelling, setCancelling] = useState<string[]>([]);
  const line = useMemo(() => lineOf(queue, requests), [queue, requests]);
  const rows = useMemo(() => rowsOf(line, openLists), [line, openLists]);
  const isOnHold = state.onHold === true;
  // An unreachable server is retried until it is back, so no time can be estimated.
  const isReachable = state.pause?.reason !== 'unreachable';
  const isOffline = requests.some(({ status }) => 'reason' in status && status.reason === 'offline');
  const maySend = !isOnHold && state.halt === null && isReachable && !isOffline;
  const sends = useMemo(() => (maySend ? estimateSends(queue, { now, workerId: 'page' }) : []), [queue, now, maySend]);
  const scheduledIds = new Set(sends.flatMap(({ requestIds }) => requestIds));
  const toggle = (groupId: string) =>
    setOpenLists((open) =>
      open.has(groupId) ? new Set([...open].filter((id) => id !== groupId)) : new Set(open).add(groupId),
    );
  return (
    <section class={`card queue ${isOnHold ? 'is-on-hold' : ''}`} aria-label={name}>
      <div class="queue-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span class="count">{formatNumber(requests.length)}</span>
        <div class="actions queue-end">
          {state.pause && !state.pause.named && !isOnHold && requests.length > 0 && (
            <button type="button" class="button is-quiet" onClick={() => handlers.tryNow(connection.id)}>
              {t('tryNow')}
            </button>
          )}
          <button
            type="button"
            class={`button ${isOnHold ? 'is-primary' : ''}`}
            onClick={() => handlers.setOnHold(connection.id, !isOnHold)}
          >
            <Icon name={isOnHold ? 'play' : 'pause'} />
            {t(isOnHold ? 'goOn' : 'pause')}
          </button>
        </div>
      </div>
      <ConnectionState queue={queue} now={now} />
      {isOnHold && <p class="hold">{t('onHold')}</p>}
      {state.halt && <BlockNotice halt={state.halt} connection={connection} handlers={handlers} />}
      <QuotaMeter quota={quotaLeft(queue, { now, workerId: 'page' })} now={now} />
      {sends.length > 0 && <p class="help send-time">{estimateMessage(sends, scheduledIds, now)}</p>}
      {rows.length === 0 ? (
        <p class="empty">{t('queueEmpty')}</p>
      ) : (
        <QueueRows
          rows={rows}
          now={now}
          cancel={(ids, isList) => (isList ? setCancelling(ids) : handlers.cancel(ids))}
          retry={handlers.retry}
          toggle={toggle}
          openGroup={handlers.openGroup}
        />
      )}
      {cancelling.length > 0 && (
        <ConfirmDialog
          title={t('groupCancelTitle')}
          text={t('groupCancelText')}
          yes={plural('groupCancel', cancelling.length)}
          confirm={() => handlers.cancel(cancelling)}
          close={() => setCancelling([])}
        />
      )}
    </section>
  );
}
