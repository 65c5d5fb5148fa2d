import { openPage } from '../../components/page-shell.tsx';
import { PAGE_DEPS } from '../../components/page-store.ts';
import { readQueues } from '../../components/stored-data.ts';
import { readList } from '../../storage/load-page-data.ts';
import { QueuePage } from './queue-page.tsx';
import { createQueueStore } from './queue-store.ts';

const listId = new URLSearchParams(location.search).get('list');

void openPage('queue', async () => {
  const list = listId === null ? null : readList(listId);
  const [view, shown] = await Promise.all([readQueues(), list]);
  const store = createQueueStore(PAGE_DEPS, { view, listId, list: shown });
  store.start();
  return <QueuePage store={store} />;
});
