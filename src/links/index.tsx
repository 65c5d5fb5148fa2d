import { useMemo } from 'preact/hooks';
import { useHistory } from '../history/use-history.ts';
import { takeLinksSearch } from '../messages/links-search.ts';
import { showsPrivate } from '../messages/private-page.ts';
import { readLinks, readQueues } from '../messages/read.ts';
import browser from '../platform/browser.ts';
import type { Link } from '../queue/types.ts';
import { readSettings } from '../storage/settings.ts';
import type { QueuesView } from '../storage/view.ts';
import { useClipboard } from '../ui/copy.tsx';
import { listRequests } from '../ui/listed-requests.ts';
import { readHasNews } from '../ui/news.tsx';
import { openPage } from '../ui/page.tsx';
import { setTheme } from '../ui/theme.ts';
import { useFlash } from '../ui/use-flash.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useQueues } from '../ui/use-stored.ts';
import { Links } from './links.tsx';
import { FIRST_LINKS, useAllLinks } from './use-all-links.ts';
import { useCommit } from './use-commit.ts';
import { useLinksHandlers } from './use-links-handlers.ts';
import { useRemoval } from './use-removal.ts';

const isPrivate = showsPrivate();
/** A page in a Firefox private window has a database of its own, which nobody else reads. */
const canKeep = !browser.extension.inIncognitoContext;

void openPage('linksTitle', async () => {
  const [links, view, settings, search, hasNews] = await Promise.all([
    readLinks(isPrivate, { latest: FIRST_LINKS }),
    readQueues(isPrivate),
    readSettings(),
    takeLinksSearch(isPrivate).catch(() => ''),
    readHasNews(),
  ]);
  setTheme(settings.theme);
  return <App firstLinks={links} firstQueues={view} search={search} hasNews={hasNews} />;
});

interface AppProps {
  firstLinks: Link[];
  firstQueues: QueuesView;
  search: string;
  hasNews: boolean;
}

function App({ firstLinks, firstQueues, search, hasNews }: AppProps) {
  const { links, complete, refresh } = useAllLinks(isPrivate, firstLinks);
  const { value: view } = useQueues(isPrivate, firstQueues);
  const online = useOnline();
  const now = useNow();
  const flashing = useFlash(refresh);
  const clipboard = useClipboard(flashing.copy);
  const requests = listRequests(view, { now, workerId: 'page' }, online);
  const connections = useMemo(() => view.queues.map(({ connection }) => connection), [view]);
  const history = useHistory(connections, online, canKeep);
  const removal = useRemoval(useCommit(flashing, connections));
  const handlers = useLinksHandlers(flashing, removal, history, connections, isPrivate);
  const { hidden, removed } = removal;
  const { flash } = flashing;
  return (
    <Links
      {...{
        links,
        complete,
        requests,
        connections,
        canKeep,
        isPrivate,
        hidden,
        removed,
        flash,
        now,
        clipboard,
        handlers,
      }}
      history={history.states}
      search={search}
      hasNews={hasNews}
    />
  );
}
