import { type Connection as ConnectionLink, parseConnectionLink } from '@terse/contract/connection-link';
import { useEffect } from 'preact/hooks';
import { dataHandlers } from '../data/data-handlers.ts';
import { readQueues } from '../messages/read.ts';
import browser from '../platform/browser.ts';
import { readSettings, type Settings } from '../storage/settings.ts';
import type { QueuesView } from '../storage/view.ts';
import { openPage } from '../ui/page.tsx';
import { setTheme } from '../ui/theme.ts';
import { useFlash } from '../ui/use-flash.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useSettings } from '../ui/use-settings.ts';
import { useQueues } from '../ui/use-stored.ts';
import { Options } from './options.tsx';
import { readShortcuts } from './shortcuts.ts';
import type { Shortcut } from './shortcuts-section.tsx';
import { useConfirming } from './use-confirming.ts';
import { useOptionsHandlers } from './use-options-handlers.ts';

const offered = takeOffered();
const isPrivate = browser.extension.inIncognitoContext ?? false;

void openPage('optionsTitle', async () => {
  const [view, settings, shortcuts] = await Promise.all([readQueues(isPrivate), readSettings(), readShortcuts()]);
  setTheme(settings.theme);
  return <App first={view} chosen={settings} shortcuts={shortcuts} />;
});

function App({ first, chosen, shortcuts }: { first: QueuesView; chosen: Settings; shortcuts: Shortcut[] }) {
  const queues = useQueues(isPrivate, first);
  const { settings, ...settingsHandlers } = useSettings(chosen);
  const { flash, ...flashing } = useFlash(queues.refresh);
  const handlers = useOptionsHandlers(queues, settingsHandlers, flashing);
  const now = useNow();
  const online = useOnline();
  const connections = queues.value.queues.map(({ connection }) => connection);
  const data = useConfirming(connections, online && !isPrivate, dataHandlers);
  useEffect(() => setTheme(settings.theme), [settings.theme]);
  const { version } = browser.runtime.getManifest();
  const shown = { offered, settings, shortcuts, version, now, isPrivate, flash, handlers, data };
  return <Options view={queues.value} {...shown} />;
}

/** A connection link in the page's own address, as `npm start` opens it. The key does not stay there. */
function takeOffered(): ConnectionLink | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('connection');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname);
  return parseConnectionLink(link);
}
