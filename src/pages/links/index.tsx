import { useMemo } from 'preact/hooks';
import { useClipboard } from '../../components/copy-button.tsx';
import { useErrorToast } from '../../components/error-toast.tsx';
import { useNow } from '../../components/hooks/use-now.ts';
import { useOnline } from '../../components/hooks/use-online.ts';
import { setTheme } from '../../components/hooks/use-settings-and-theme.ts';
import { readQueues, useQueues } from '../../components/hooks/use-stored-data.ts';
import { openPage } from '../../components/page-shell.tsx';
import { useServiceSync } from '../../link-sync/use-service-sync.ts';
import { handedSearch } from '../../messages/open-page-with-data.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { readLinks } from '../../storage/load-page-data.ts';
import { readSettings } from '../../storage/settings.ts';
import { useCommit, useDeleteWithUndo } from './delete-with-undo.tsx';
import { LinksPage } from './links-page.tsx';
import { FIRST_LINKS, useAllLinks } from './search-and-sort.ts';
import { useLinksActions } from './use-links-actions.ts';

void openPage('linksTitle', async () => {
  const [links, view, settings, search] = await Promise.all([
    readLinks({ latest: FIRST_LINKS }),
    readQueues(),
    readSettings(),
    handedSearch.take().catch(() => null),
  ]);
  setTheme(settings.theme);
  return <App firstLinks={links} firstQueues={view} search={search?.words ?? ''} />;
});

interface AppProps {
  firstLinks: Link[];
  firstQueues: VisibleQueues;
  search: string;
}

function App({ firstLinks, firstQueues, search }: AppProps) {
  const { links, complete, refresh } = useAllLinks(firstLinks);
  const { value: view } = useQueues(firstQueues);
  const online = useOnline();
  const now = useNow();
  const flashing = useErrorToast(refresh);
  const clipboard = useClipboard(flashing.copy);
  const connections = useMemo(() => view.queues.map(({ connection }) => connection), [view]);
  const history = useServiceSync(connections, online);
  const removal = useDeleteWithUndo(useCommit(flashing, refresh, connections));
  const handlers = useLinksActions(flashing, removal, history, connections);
  const { hidden, removed } = removal;
  const { flash } = flashing;
  return (
    <LinksPage
      {...{
        links,
        complete,
        view,
        hidden,
        removed,
        flash,
        now,
        clipboard,
        handlers,
      }}
      history={history.states}
      search={search}
    />
  );
}
