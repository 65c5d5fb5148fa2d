import { useMemo } from 'preact/hooks';
import { showsPrivate } from '../messages/private-page.ts';
import { readQueues } from '../messages/read.ts';
import { readSettings } from '../storage/settings.ts';
import type { QueuesView } from '../storage/view.ts';
import { listRequests } from '../ui/listed-requests.ts';
import { openPage } from '../ui/page.tsx';
import { setTheme } from '../ui/theme.ts';
import { useFlash } from '../ui/use-flash.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useQueues } from '../ui/use-stored.ts';
import { QueuePage } from './queue-page.tsx';
import { useQueueHandlers } from './use-queue-handlers.ts';

const isPrivate = showsPrivate();

void openPage('queue', async () => {
  const [view, settings] = await Promise.all([readQueues(isPrivate), readSettings()]);
  setTheme(settings.theme);
  return <App firstQueues={view} />;
});

function App({ firstQueues }: { firstQueues: QueuesView }) {
  const { value: view, refresh } = useQueues(isPrivate, firstQueues);
  const online = useOnline();
  const now = useNow();
  const flashing = useFlash(refresh);
  const handlers = useQueueHandlers(flashing, isPrivate);
  const requests = useMemo(() => listRequests(view, { now, workerId: 'page' }, online), [view, now, online]);
  return <QueuePage queues={view.queues} {...{ requests, isPrivate, now, handlers }} flash={flashing.flash} />;
}
