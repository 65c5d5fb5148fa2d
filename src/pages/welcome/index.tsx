import { useEffect } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { takeOfferedConnection } from '../../components/connection-form/connection-draft.ts';
import { useClipboard } from '../../components/copy-button.tsx';
import { useErrorToast } from '../../components/error-toast.tsx';
import { useNow } from '../../components/hooks/use-now.ts';
import { useOnline } from '../../components/hooks/use-online.ts';
import { setTheme, useSettings } from '../../components/hooks/use-settings-and-theme.ts';
import { readQueues, useQueues } from '../../components/hooks/use-stored-data.ts';
import { openPage } from '../../components/page-shell.tsx';
import type { VisibleQueues } from '../../queue/types.ts';
import { readSettings, type Settings } from '../../storage/settings.ts';
import { readToolbar, usePinned } from './pin-toolbar.tsx';
import { useFirstLink } from './use-first-link.ts';
import { type Toolbar, useWelcomeActions } from './use-welcome-actions.ts';
import { WelcomePage } from './welcome-page.tsx';

const offered = takeOfferedConnection();

void openPage('welcomeTitle', async () => {
  const [view, settings, toolbar, commands] = await Promise.all([
    readQueues(),
    readSettings(),
    readToolbar(),
    browser.commands?.getAll(),
  ]);
  setTheme(settings.theme);
  const shortcut = commands?.find(({ name }) => name === '_execute_action')?.shortcut ?? '';
  return <App first={view} chosen={settings} {...{ toolbar, shortcut }} />;
});

interface AppProps {
  first: VisibleQueues;
  chosen: Settings;
  toolbar: Toolbar;
  shortcut: string;
}

function App({ first, chosen, toolbar, shortcut }: AppProps) {
  const queues = useQueues(first);
  const { settings, ...settingsHandlers } = useSettings(chosen);
  const online = useOnline();
  const now = useNow();
  const pinned = usePinned();
  const { flash, ...flashing } = useErrorToast(queues.refresh);
  const order = useFirstLink(queues, now, online);
  const clipboard = useClipboard(flashing.copy);
  useEffect(() => setTheme(settings.theme), [settings.theme]);
  const handlers = useWelcomeActions(settingsHandlers, flashing);
  const shortUrl = order.firstLink.kind === 'done' ? order.firstLink.link.shortUrl : null;
  useEffect(() => {
    // The background worker may have copied the link already. The page copies the link again, so that its copy button
    // shows “Copied”.
    if (shortUrl && settings.autoCopy && document.hasFocus()) clipboard.copy(shortUrl, true);
  }, [shortUrl]);
  return (
    <WelcomePage
      queue={queues.value.queues[0] ?? null}
      dismissFlash={() => flashing.show(null)}
      {...order}
      {...{ offered, settings, toolbar, pinned, shortcut, flash, now, clipboard, handlers }}
    />
  );
}
