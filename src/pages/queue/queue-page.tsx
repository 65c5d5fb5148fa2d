import { EmptyState, NoServer } from '../../components/empty-state.tsx';
import { Toasts } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/focus.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { plural, t } from '../../format/i18n.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import { countRequests } from '../../queue/status.ts';
import { ListProgress, ResultBar } from './list-progress.tsx';
import { QueueCard } from './queue-card.tsx';
import type { QueueStore } from './queue-store.ts';

/** Page with the unfinished requests of all connections, or with the progress of one bulk list. */
export function QueuePage({ store }: { store: QueueStore }) {
  const main = useKeepFocus<HTMLElement>();
  const { view, flash, announced, listId, progress } = store;
  return (
    <>
      <PageHeader current="queue" view={view.value} />
      <main ref={main} class="page is-wide">
        {listId === null ? (
          <AllQueues store={store} />
        ) : progress.value ? (
          <ListProgress progress={progress.value} store={store} />
        ) : (
          <>
            <header class="page-head">
              <h1>{t('manyTitle')}</h1>
            </header>
            <EmptyState icon="bulk" title={t('groupUnknown')}>
              <a class="button is-primary" href={pageAddress('bulk')}>
                {t('groupAnother')}
              </a>
            </EmptyState>
          </>
        )}
        <Toasts flash={flash}>{progress.value && <ResultBar progress={progress.value} store={store} />}</Toasts>
        <Announcer text={flash.value?.text ?? announced.value} />
      </main>
    </>
  );
}

function AllQueues({ store }: { store: QueueStore }) {
  const { view, queues, names, requests, openOptions } = store;
  const { all, needUser } = countRequests(view.value);
  const summary = [
    all > needUser ? plural('waitingCount', all - needUser) : '',
    needUser > 0 ? plural('needYouCount', needUser) : '',
  ];
  return (
    <>
      <header class="page-head">
        <h1>{t('queue')}</h1>
        <p class="page-note">{summary.filter(Boolean).join(' · ')}</p>
      </header>
      {queues.value.map((queue) => {
        const { id } = queue.connection;
        const own = requests.value.filter(({ connection }) => connection.id === id);
        return <QueueCard key={id} name={names.value.get(id) ?? ''} requests={own} {...{ queue, store }} />;
      })}
      {queues.value.length === 0 && <NoServer openOptions={openOptions} />}
    </>
  );
}
