import type { Queue } from '../queue/types.ts';
import { Announcer, useAnnounced } from '../ui/announcer.tsx';
import { connectionNames } from '../ui/connections.ts';
import { FlashToast } from '../ui/flash-toast.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Mark } from '../ui/icons.tsx';
import type { ListedRequest } from '../ui/listed-requests.ts';
import { PrivateChip } from '../ui/private-chip.tsx';
import { t } from '../ui/strings.ts';
import type { FlashMessage } from '../ui/use-flash.ts';
import { useKeepFocus } from '../ui/use-keep-focus.ts';
import type { QueueHandlers } from './handlers.ts';
import { QueueCard } from './queue-card.tsx';
import { QueueRows } from './queue-rows.tsx';
import { rowsOf } from './rows.ts';

export interface QueuePageProps {
  queues: Queue[];
  requests: ListedRequest[];
  /** What belongs to private windows is shown too. */
  isPrivate: boolean;
  flash: FlashMessage | null;
  now: number;
  handlers: QueueHandlers;
}

/** What waits, by connection: its order, what stands in its way, the budget of each, and when more of it comes. */
export function QueuePage({ queues, requests, isPrivate, flash, now, handlers }: QueuePageProps) {
  const [announced, announce] = useAnnounced();
  const main = useKeepFocus<HTMLElement>();
  const names = connectionNames(queues.map(({ connection }) => connection));
  const unassigned = requests.filter(({ connection }) => connection === null);
  return (
    <main ref={main} class="page is-wide">
      <header class="page-head">
        <Mark />
        <h1>{t('queue')}</h1>
        {isPrivate && <PrivateChip />}
        <div class="page-end actions">
          <button type="button" class="button is-quiet" onClick={handlers.openMany}>
            {t('manyTitle')}
          </button>
          <button type="button" class="button is-quiet" onClick={handlers.openLinks}>
            {t('allLinks')}
          </button>
          <IconButton icon="settings" name={t('options')} press={handlers.openOptions} />
        </div>
      </header>
      {queues.map((queue) => {
        const { id } = queue.connection;
        const own = requests.filter(({ connection }) => connection?.id === id);
        return <QueueCard key={id} {...{ queue, now, handlers, announce }} name={names.get(id) ?? ''} requests={own} />;
      })}
      {queues.length === 0 && (
        <section class="card is-notice">
          <p>{t('refusal_no_connection')}</p>
          <button type="button" class="button is-primary" onClick={handlers.openOptions}>
            {t('connectService')}
          </button>
        </section>
      )}
      {unassigned.length > 0 && (
        <section class="card queue" aria-label={t('queueUnassigned')}>
          <h2>{t('queueUnassigned')}</h2>
          <QueueRows
            rows={rowsOf({ stuck: unassigned, open: [], blocks: [] }, new Set())}
            moved={null}
            now={now}
            move={() => {}}
            cancel={(ids) => handlers.cancel(ids)}
            retry={handlers.retry}
            toggle={() => {}}
            openGroup={handlers.openGroup}
          />
        </section>
      )}
      <div class="toasts">{flash && <FlashToast flash={flash} dismiss={handlers.dismiss} />}</div>
      <Announcer text={flash?.text ?? announced} />
    </main>
  );
}
