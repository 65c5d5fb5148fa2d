import { openPage } from '../../components/page-shell.tsx';
import { readQueues } from '../../components/stored-data.ts';
import { handedSearch } from '../../messages/open-page-with-data.ts';
import { readLinks } from '../../storage/load-page-data.ts';
import { LinksPage } from './links-page.tsx';
import { createLinksStore, FIRST_LINKS, LINKS_DEPS } from './links-store.ts';

void openPage('linksTitle', async () => {
  const [links, view, search] = await Promise.all([
    readLinks({ latest: FIRST_LINKS }),
    readQueues(),
    handedSearch.take().catch(() => null),
  ]);
  const store = createLinksStore(LINKS_DEPS, { links, view, search: search?.words ?? '' });
  store.start();
  return <LinksPage store={store} />;
});
