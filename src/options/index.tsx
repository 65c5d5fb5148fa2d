import { type Connection, parseConnectionLink } from '@terse/contract';
import { useEffect, useMemo } from 'preact/hooks';
import browser from 'webextension-polyfill';
import type { ConnectionReport } from '../messages/messages.ts';
import { readView } from '../messages/read-view.ts';
import { readSettings, type Settings } from '../storage/settings.ts';
import type { View } from '../storage/view.ts';
import { askSurely } from '../ui/ask-surely.ts';
import { openPage } from '../ui/page.tsx';
import { t } from '../ui/strings.ts';
import { setTheme } from '../ui/theme.ts';
import { useNow } from '../ui/use-now.ts';
import { useView } from '../ui/use-view.ts';
import type { Actions, Outcome } from './actions.ts';
import { Options, type Shortcut } from './options.tsx';
import { giveBack, mayReach } from './permissions.ts';
import { useSettings } from './use-settings.ts';

const offered = takeOffered();
const isPrivate = browser.extension.inIncognitoContext ?? false;

void openPage('optionsTitle', async () => {
  const [view, settings, shortcuts] = await Promise.all([readView(isPrivate), readSettings(), readShortcuts()]);
  setTheme(settings.theme);
  return <App first={view} chosen={settings} shortcuts={shortcuts} />;
});

function App({ first, chosen, shortcuts }: { first: View; chosen: Settings; shortcuts: Shortcut[] }) {
  const { view, refresh } = useView(isPrivate, first);
  const { settings, change, setNotifications } = useSettings(chosen);
  const now = useNow(() => []);
  useEffect(() => setTheme(settings.theme), [settings.theme]);

  const baseUrl = view.connection?.baseUrl ?? null;
  const actions = useMemo<Actions>(() => {
    /** Looks at a service, connected to it then or not: where not, its permission is not kept. */
    const look = async (type: 'test-connection' | 'connect', address: string, apiKey: string | null) => {
      if (!(await mayReach(address))) return { ok: false, code: 'denied' } as const;
      const outcome = await answered<ConnectionReport>({ type, baseUrl: address, apiKey });
      const connected = (await refresh()).connection?.baseUrl ?? null;
      for (const one of new Set([address, baseUrl ?? address])) await giveBack(one, connected);
      return outcome;
    };
    return {
      test: (address, apiKey) => look('test-connection', address, apiKey),
      connect: (address, apiKey) => look('connect', address, apiKey),
      forget: async () => {
        const outcome = await answered({ type: 'forget-connection' });
        if (outcome.ok && baseUrl !== null) await giveBack(baseUrl, null);
        await refresh();
        return outcome;
      },
      change,
      setNotifications,
      openShortcuts: () => void openShortcuts(),
      openLinks: () => void browser.tabs.create({ url: browser.runtime.getURL('src/links/index.html') }),
    };
  }, [change, setNotifications, baseUrl, refresh]);

  return (
    <Options
      view={view}
      offered={offered}
      settings={settings}
      shortcuts={shortcuts}
      version={browser.runtime.getManifest().version}
      now={now}
      actions={actions}
    />
  );
}

async function answered<T = null>(message: Parameters<typeof askSurely>[0]): Promise<Outcome<T>> {
  try {
    return await askSurely<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}

/** A connection link in the page's own address, as `npm start` opens it. The key does not stay there. */
function takeOffered(): Connection | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('connection');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname);
  return parseConnectionLink(link);
}

async function readShortcuts(): Promise<Shortcut[]> {
  // Firefox for Android has no keyboard shortcuts, and no such interface.
  const commands = (await browser.commands?.getAll()) ?? [];
  return commands.map(({ name, description, shortcut }) => ({
    description: name === '_execute_action' ? t('commandOpenPopup') : (description ?? ''),
    keys: shortcut ?? '',
  }));
}

/** Firefox has a call for its shortcuts page, Chrome an address that an extension may open. */
async function openShortcuts(): Promise<void> {
  if ('openShortcutSettings' in browser.commands) await browser.commands.openShortcutSettings();
  else await browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
