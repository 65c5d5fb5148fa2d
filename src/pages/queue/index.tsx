import { useMemo } from 'preact/hooks';
import { useErrorToast } from '../../components/error-toast.tsx';
import { useNow } from '../../components/hooks/use-now.ts';
import { useOnline } from '../../components/hooks/use-online.ts';
import { setTheme } from '../../components/hooks/use-settings-and-theme.ts';
import { readQueues, useQueues } from '../../components/hooks/use-stored-data.ts';
import { openPage } from '../../components/page-shell.tsx';
import { listRequests } from '../../queue/status/request-status.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import { readSettings } from '../../storage/settings.ts';
import { QueuePage } from './queue-page.tsx';
import { useQueueActions } from './use-queue-actions.ts';

void openPage('queue', async () => {
  const [view, settings] = await Promise.all([readQueues(), readSettings()]);
  setTheme(settings.theme);
  return <App firstQueues={view} />;
});

function App({ firstQueues }: { firstQueues: VisibleQueues }) {
  const { value: view, refresh } = useQueues(firstQueues);
  const online = useOnline();
  const now = useNow();
  const flashing = useErrorToast(refresh);
  const handlers = useQueueActions(flashing);
  const requests = useMemo(() => listRequests(view, now, online), [view, now, online]);
  return <QueuePage {...{ view, requests, now, handlers }} flash={flashing.flash} />;
}
