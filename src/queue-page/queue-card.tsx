import { useMemo, useState } from 'preact/hooks';
import { expectedSends } from '../queue/estimate.ts';
import { quotaLeft } from '../queue/request-status.ts';
import type { Queue } from '../queue/types.ts';
import { Confirm } from '../ui/confirm.tsx';
import { ConnectionState } from '../ui/connection-state.tsx';
import { HaltNotice } from '../ui/halt-notice.tsx';
import { Icon } from '../ui/icons.tsx';
import type { ListedRequest } from '../ui/listed-requests.ts';
import { number, plural, t } from '../ui/strings.ts';
import { lineOf } from './blocks.ts';
import { BudgetPicture } from './budget-picture.tsx';
import type { QueueHandlers } from './handlers.ts';
import { QueueRows } from './queue-rows.tsx';
import { rowsOf } from './rows.ts';

interface QueueCardProps {
  queue: Queue;
  name: string;
  requests: ListedRequest[];
  now: number;
  handlers: QueueHandlers;
  /** Says something to a screen reader. */
  announce: (text: string) => void;
}

/** The queue of one connection: its budget, what stands in its way, and what waits in it. */
export function QueueCard({ queue, name, requests, now, handlers, announce }: QueueCardProps) {
  const { connection, state } = queue;
  const [openLists, setOpenLists] = useState<ReadonlySet<string>>(new Set());
  const [moved, setMoved] = useState<{ key: string; direction: string } | null>(null);
  const [cancelling, setCancelling] = useState<string[]>([]);
  const line = useMemo(() => lineOf(queue, requests), [queue, requests]);
  const rows = useMemo(() => rowsOf(line, openLists), [line, openLists]);
  const isOnHold = state.onHold === true;
  // A service that cannot be reached is asked again and again, and the network comes back some day: when, nobody knows.
  const isReachable = state.pause?.reason !== 'unreachable';
  const isOffline = requests.some(({ status }) => 'reason' in status && status.reason === 'offline');
  const maySend = !isOnHold && state.halt === null && isReachable && !isOffline;
  const sends = useMemo(() => (maySend ? expectedSends(queue, { now, workerId: 'page' }) : []), [queue, now, maySend]);
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
        <span class="count">{number(requests.length)}</span>
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
      {state.halt && <HaltNotice halt={state.halt} connection={connection} handlers={handlers} />}
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
        <Confirm
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
