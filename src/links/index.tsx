import { useCallback, useMemo } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { readLinks } from '../messages/read.ts';
import type { Link } from '../queue/types.ts';
import { readSettings } from '../storage/settings.ts';
import { isWebAddress } from '../target/target.ts';
import { useClipboard } from '../ui/copy.tsx';
import { openPage } from '../ui/page.tsx';
import { save } from '../ui/save.ts';
import { setTheme } from '../ui/theme.ts';
import { useFlash } from '../ui/use-flash.ts';
import { useNow } from '../ui/use-now.ts';
import { useLinks } from '../ui/use-stored.ts';
import { linksToCsv } from './csv.ts';
import type { LinksHandlers } from './handlers.ts';
import { Links } from './links.tsx';
import { useRemoval } from './use-removal.ts';

const isPrivate = browser.extension.inIncognitoContext ?? false;

void openPage('linksTitle', async () => {
  const [links, settings] = await Promise.all([readLinks(isPrivate), readSettings()]);
  setTheme(settings.theme);
  return <App first={links} />;
});

function App({ first }: { first: Link[] }) {
  const { value: links, refresh } = useLinks(isPrivate, {}, first);
  const { flash, show, change, copy } = useFlash(refresh);
  const clipboard = useClipboard(copy);
  const now = useNow();
  const commit = useCallback((link: Link) => change({ type: 'remove-link', id: link.id }), [change]);
  const { hidden, removed, remove, undo, hold } = useRemoval(commit);

  const handlers = useMemo<LinksHandlers>(
    () => ({
      remove,
      undo,
      hold,
      clear: () => void change({ type: 'clear-links' }),
      dismiss: () => show(null),
      open: (url) => isWebAddress(url) && void browser.tabs.create({ url }),
      exportCsv: (found) => save(new Blob([linksToCsv(found)], { type: 'text/csv' }), 'terse-links.csv'),
    }),
    [remove, undo, hold, change, show],
  );

  return <Links {...{ links, hidden, removed, flash, now, clipboard, handlers }} />;
}
