import { NoServer } from '../../components/empty-state.tsx';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { countRequests, type ListedRequest } from '../../queue/status/request-status.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import { QueueCard } from './queue-card.tsx';
import type { QueueActions } from './use-queue-actions.ts';

export interface QueuePageProps {
  view: VisibleQueues;
  requests: ListedRequest[];
  flash: FlashMessage | null;
  now: number;
  handlers: QueueActions;
}

/** Page with the pending requests of all connections. */
export function QueuePage({ view, requests, flash, now, handlers }: QueuePageProps) {
  const { queues } = view;
  const main = useKeepFocus<HTMLElement>();
  const names = connectionNames(queues.map(({ connection }) => connection));
  const { all, needUser } = countRequests(view);
  const summary = [
    all > needUser ? plural('waitingCount', all - needUser) : '',
    needUser > 0 ? plural('needYouCount', needUser) : '',
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      <PageHeader current="queue" view={view} />
      <main ref={main} class="page is-wide">
        <header class="page-head">
          <h1>{t('queue')}</h1>
          <p class="page-note">{summary}</p>
        </header>
        {queues.map((queue) => {
          const { id } = queue.connection;
          const own = requests.filter(({ connection }) => connection.id === id);
          return <QueueCard key={id} {...{ queue, now, handlers }} name={names.get(id) ?? ''} requests={own} />;
        })}
        {queues.length === 0 && <NoServer openOptions={handlers.openOptions} />}
        <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}</div>
        <Announcer text={flash?.text ?? ''} />
      </main>
    </>
  );
}
