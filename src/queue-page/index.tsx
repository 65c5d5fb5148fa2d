import { useMemo } from 'preact/hooks';
import { readQueues } from '../messages/read.ts';
import browser from '../platform/browser.ts';
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

const isPrivate = browser.extension.inIncognitoContext ?? false;

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
  const handlers = useQueueHandlers(flashing);
  const requests = useMemo(() => listRequests(view, { now, workerId: 'page' }, online), [view, now, online]);
  return <QueuePage queues={view.queues} {...{ requests, now, handlers }} flash={flashing.flash} />;
}
