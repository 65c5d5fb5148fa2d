import { useCallback, useMemo } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { readView } from '../messages/read-view.ts';
import type { Link } from '../queue/types.ts';
import { readSettings } from '../storage/settings.ts';
import type { View } from '../storage/view.ts';
import { isWebAddress } from '../ui/addresses.ts';
import { askSurely } from '../ui/ask-surely.ts';
import { useClipboard } from '../ui/copy.tsx';
import { openPage } from '../ui/page.tsx';
import { save } from '../ui/save.ts';
import { setTheme } from '../ui/theme.ts';
import { useNow } from '../ui/use-now.ts';
import { useView } from '../ui/use-view.ts';
import type { Actions } from './actions.ts';
import { linksToCsv } from './csv.ts';
import { Links } from './links.tsx';
import { useRemoval } from './use-removal.ts';

const isPrivate = browser.extension.inIncognitoContext ?? false;
// A private page asks the background, and only whole numbers pass as a message.
const EVERY = { latest: isPrivate ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY };

void openPage('linksTitle', async () => {
  const [view, settings] = await Promise.all([readView(isPrivate, EVERY), readSettings()]);
  setTheme(settings.theme);
  return <App first={view} />;
});

function App({ first }: { first: View }) {
  const { view, refresh } = useView(isPrivate, first, EVERY);
  const clipboard = useClipboard(writeText);
  const now = useNow(() => []);

  const change = useCallback(
    async (message: Parameters<typeof askSurely>[0]) => {
      // Unanswered twice, it may have been done or not: the view, read again, says which.
      await askSurely(message).catch(() => null);
      await refresh();
    },
    [refresh],
  );
  const commit = useCallback((link: Link) => change({ type: 'remove-link', id: link.id }), [change]);
  const { hidden, remove, undo } = useRemoval(commit);

  const actions = useMemo<Actions>(
    () => ({
      remove,
      undo,
      clear: () => void change({ type: 'clear-links' }),
      open: (url) => isWebAddress(url) && void browser.tabs.create({ url }),
      exportCsv: (links) => save(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
    }),
    [remove, undo, change],
  );

  return <Links links={view.links} removed={hidden} now={now} clipboard={clipboard} actions={actions} />;
}

function writeText(text: string): Promise<void> {
  return navigator.clipboard.writeText(text);
}
