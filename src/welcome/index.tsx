import { useEffect } from 'preact/hooks';
import { readQueues } from '../messages/read.ts';
import browser from '../platform/browser.ts';
import { readSettings, type Settings } from '../storage/settings.ts';
import type { QueuesView } from '../storage/view.ts';
import { useClipboard } from '../ui/copy.tsx';
import { openPage } from '../ui/page.tsx';
import { setTheme } from '../ui/theme.ts';
import { useFlash } from '../ui/use-flash.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useSettings } from '../ui/use-settings.ts';
import { useQueues } from '../ui/use-stored.ts';
import type { Toolbar } from './handlers.ts';
import { readToolbar, usePinned } from './toolbar.ts';
import { useFirstLink } from './use-first-link.ts';
import { useWelcomeHandlers } from './use-welcome-handlers.ts';
import { Welcome } from './welcome.tsx';

const isPrivate = browser.extension.inIncognitoContext ?? false;

void openPage('welcomeTitle', async () => {
  const [view, settings, toolbar, commands] = await Promise.all([
    readQueues(isPrivate),
    readSettings(),
    readToolbar(),
    browser.commands?.getAll(),
  ]);
  setTheme(settings.theme);
  const shortcut = commands?.find(({ name }) => name === '_execute_action')?.shortcut ?? '';
  return <App first={view} chosen={settings} {...{ toolbar, shortcut }} />;
});

interface AppProps {
  first: QueuesView;
  chosen: Settings;
  toolbar: Toolbar;
  shortcut: string;
}

function App({ first, chosen, toolbar, shortcut }: AppProps) {
  const queues = useQueues(isPrivate, first);
  const { settings, ...settingsHandlers } = useSettings(chosen);
  const online = useOnline();
  const now = useNow();
  const pinned = usePinned();
  const { flash, ...flashing } = useFlash(queues.refresh);
  const order = useFirstLink(isPrivate, queues, now, online);
  const clipboard = useClipboard(flashing.copy);
  useEffect(() => setTheme(settings.theme), [settings.theme]);
  const handlers = useWelcomeHandlers(queues, settingsHandlers, flashing);
  return (
    <Welcome
      queue={queues.value.queues[0] ?? null}
      dismissFlash={() => flashing.show(null)}
      {...order}
      {...{ settings, toolbar, pinned, shortcut, flash, now, clipboard, handlers }}
    />
  );
}
