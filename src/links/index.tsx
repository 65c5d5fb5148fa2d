import { useCallback, useMemo } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { readView } from '../messages/read-view.ts';
import type { Link } from '../queue/types.ts';
import { readSettings } from '../storage/settings.ts';
import type { View } from '../storage/view.ts';
import { isWebAddress } from '../ui/addresses.ts';
import { useClipboard } from '../ui/copy.tsx';
import { openPage } from '../ui/page.tsx';
import { save } from '../ui/save.ts';
import { setTheme } from '../ui/theme.ts';
import { useNow } from '../ui/use-now.ts';
import { useProblem } from '../ui/use-problem.ts';
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
  const { problem, say, change, copy } = useProblem(refresh);
  const clipboard = useClipboard(copy);
  const now = useNow(() => []);
  const commit = useCallback((link: Link) => change({ type: 'remove-link', id: link.id }), [change]);
  const { hidden, removed, remove, undo, hold } = useRemoval(commit);

  const actions = useMemo<Actions>(
    () => ({
      remove,
      undo,
      hold,
      clear: () => void change({ type: 'clear-links' }),
      dismiss: () => say(null),
      open: (url) => isWebAddress(url) && void browser.tabs.create({ url }),
      exportCsv: (links) => save(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
    }),
    [remove, undo, hold, change, say],
  );

  const state = { links: view.links, hidden, removed, problem };
  return <Links {...state} now={now} clipboard={clipboard} actions={actions} />;
}
