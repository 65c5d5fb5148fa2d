import { useCallback, useMemo, useState } from 'preact/hooks';
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
import { refusalSentence } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
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
  const [problem, setProblem] = useState<string | null>(null);
  const now = useNow(() => []);

  const copy = useCallback(async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setProblem(null);
    } catch (error) {
      setProblem(t('copyRefused'));
      throw error;
    }
  }, []);
  const clipboard = useClipboard(copy);

  /** Whether it was done; what stood in its way is said. */
  const change = useCallback(
    async (message: Parameters<typeof askSurely>[0]) => {
      const refusal = await askSurely(message).then(
        (reply) => (reply.ok ? null : refusalSentence(reply.code)),
        () => t('noReply'),
      );
      // Unanswered, it may have been done or not: the view, read again, says which.
      await refresh();
      setProblem(refusal);
      return refusal === null;
    },
    [refresh],
  );
  const commit = useCallback((link: Link) => change({ type: 'remove-link', id: link.id }), [change]);
  const { hidden, removed, remove, undo, hold } = useRemoval(commit);

  const actions = useMemo<Actions>(
    () => ({
      remove,
      undo,
      hold,
      clear: () => void change({ type: 'clear-links' }),
      dismiss: () => setProblem(null),
      open: (url) => isWebAddress(url) && void browser.tabs.create({ url }),
      exportCsv: (links) => save(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
    }),
    [remove, undo, hold, change],
  );

  const state = { links: view.links, hidden, removed, problem };
  return <Links {...state} now={now} clipboard={clipboard} actions={actions} />;
}
