import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer, PrivateChip } from '../../components/page-shell.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { ListedRequest } from '../../queue/status/request-status.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import { QueueCard } from './queue-card.tsx';
import { QueueRows, rowsOf } from './queue-rows.tsx';
import type { QueueActions } from './use-queue-actions.ts';

export interface QueuePageProps {
  view: VisibleQueues;
  requests: ListedRequest[];
  /** True if private requests are included. */
  isPrivate: boolean;
  flash: FlashMessage | null;
  now: number;
  handlers: QueueActions;
}

/** Page with the pending requests of all connections, and their limits. */
export function QueuePage({ view, requests, isPrivate, flash, now, handlers }: QueuePageProps) {
  const { queues } = view;
  const main = useKeepFocus<HTMLElement>();
  const names = connectionNames(queues.map(({ connection }) => connection));
  const unassigned = requests.filter(({ connection }) => connection === null);
  return (
    <>
      <PageHeader current="queue" {...{ view, isPrivate }} />
      <main ref={main} class="page is-wide">
        <header class="page-head">
          <h1>{t('queue')}</h1>
          {isPrivate && <PrivateChip />}
        </header>
        {queues.map((queue) => {
          const { id } = queue.connection;
          const own = requests.filter(({ connection }) => connection?.id === id);
          return <QueueCard key={id} {...{ queue, now, handlers }} name={names.get(id) ?? ''} requests={own} />;
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
              now={now}
              cancel={(ids) => handlers.cancel(ids)}
              retry={handlers.retry}
              toggle={() => {}}
              openGroup={handlers.openGroup}
            />
          </section>
        )}
        <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}</div>
        <Announcer text={flash?.text ?? ''} />
      </main>
    </>
  );
}
