import { useMemo, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { BlockNotice, ConnectionState } from '../../components/connection-notice.tsx';
import { Icon } from '../../components/icons.tsx';
import { QuotaMeter } from '../../components/quota-meter.tsx';
import { formatNumber, plural, t, uiLocale } from '../../format/i18n.ts';
import { formatDateTime } from '../../format/relative-time.ts';
import { estimateMessage } from '../../format/status-text.ts';
import { type ListedRequest, type QuotaLeft, quotaLeft } from '../../queue/status/request-status.ts';
import { burstsOf, type EstimatedSend, estimateSends } from '../../queue/status/send-time-estimate.ts';
import type { Queue } from '../../queue/types.ts';
import { lineOf, QueueRows, rowsOf } from './queue-rows.tsx';
import { timelineOf } from './timeline.ts';
import type { QueueActions } from './use-queue-actions.ts';

interface BudgetPictureProps {
  quota: QuotaLeft;
  /** Requests that will be sent. Empty if the queue needs the user first. */
  sends: EstimatedSend[];
  now: number;
}

/** What is left of the budget, and when what waits is sent: as a picture, and in words for who does not see it. */
export function BudgetPicture({ quota, sends, now }: BudgetPictureProps) {
  const ids = new Set(sends.flatMap(({ requestIds }) => requestIds));
  return (
    <div class="budget-picture">
      <QuotaMeter quota={quota} now={now} />
      {sends.length > 0 && (
        <>
          <Bars {...{ quota, sends, now }} />
          <p class="help">{estimateMessage(sends, ids, now)}</p>
        </>
      )}
    </div>
  );
}

function Bars({ quota, sends, now }: BudgetPictureProps) {
  const { bars, days, moreX } = timelineOf(burstsOf(sends), quota.limit, quota.moreAt, now);
  const weekday = new Intl.DateTimeFormat(uiLocale(), { weekday: 'short' });
  const at = (x: number) => ({ insetInlineStart: `${x}%` });
  return (
    <div class="timeline" aria-hidden="true">
      <div class="timeline-bars">
        {days.map((day) => (
          <span key={day.at} class="timeline-day" style={at(day.x)} />
        ))}
        {moreX !== null && <span class="timeline-more" style={at(moreX)} />}
        {bars.map((bar) => (
          <span
            key={bar.at}
            class="timeline-bar"
            title={t('burstAt', formatNumber(bar.count), formatDateTime(bar.at, now))}
            style={{ ...at(bar.x), blockSize: `${Math.max(8, bar.height)}%` }}
          />
        ))}
      </div>
      <div class="timeline-names">
        {days
          .filter(({ isNamed }) => isNamed)
          .map((day) => (
            <span key={day.at} class="timeline-name" style={at(day.x)}>
              {weekday.format(day.at)}
            </span>
          ))}
      </div>
    </div>
  );
}

interface QueueCardProps {
  queue: Queue;
  name: string;
  requests: ListedRequest[];
  now: number;
  handlers: QueueActions;
  /** Announces a text to screen readers. */
  announce: (text: string) => void;
}

/** Queue of one connection: its quota, what blocks it, and its requests. */
export function QueueCard({ queue, name, requests, now, handlers, announce }: QueueCardProps) {
  const { connection, state } = queue;
  const [openLists, setOpenLists] = useState<ReadonlySet<string>>(new Set());
  const [moved, setMoved] = useState<{ key: string; direction: string } | null>(null);
  const [cancelling, setCancelling] = useState<string[]>([]);
  const line = useMemo(() => lineOf(queue, requests), [queue, requests]);
  const rows = useMemo(() => rowsOf(line, openLists), [line, openLists]);
  const isOnHold = state.onHold === true;
  // An unreachable server is retried until it is back, so no time can be estimated.
  const isReachable = state.pause?.reason !== 'unreachable';
  const isOffline = requests.some(({ status }) => 'reason' in status && status.reason === 'offline');
  const maySend = !isOnHold && state.halt === null && isReachable && !isOffline;
  const sends = useMemo(() => (maySend ? estimateSends(queue, { now, workerId: 'page' }) : []), [queue, now, maySend]);
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
      <BudgetPicture quota={quotaLeft(queue, { now, workerId: 'page' })} sends={sends} now={now} />
      {rows.length === 0 ? (
        <p class="empty">{t('queueEmpty')}</p>
      ) : (
        <QueueRows
          rows={rows}
          moved={moved}
          now={now}
          move={(key, direction, move) => {
            setMoved({ key, direction });
            handlers.move(connection.id, move);
            announce(t('moved'));
          }}
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
