import { type Connection, parseConnectionLink } from '@terse/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { hostPattern } from '../messages/host-pattern.ts';
import type { ConnectionReport } from '../messages/messages.ts';
import { readView } from '../messages/read-view.ts';
import { readSettings, type Settings, watchSettings, writeSettings } from '../storage/settings.ts';
import type { View } from '../storage/view.ts';
import { askSurely } from '../ui/ask-surely.ts';
import { openPage } from '../ui/page.tsx';
import { t } from '../ui/strings.ts';
import { setTheme } from '../ui/theme.ts';
import { useNow } from '../ui/use-now.ts';
import { useView } from '../ui/use-view.ts';
import type { Actions, Outcome } from './actions.ts';
import { Options, type Shortcut } from './options.tsx';

const offered = takeOffered();
const isPrivate = browser.extension.inIncognitoContext ?? false;

void openPage('optionsTitle', async () => {
  const [view, settings, shortcuts] = await Promise.all([readView(isPrivate), readSettings(), readShortcuts()]);
  setTheme(settings.theme);
  return <App first={view} chosen={settings} shortcuts={shortcuts} />;
});

function App({ first, chosen, shortcuts }: { first: View; chosen: Settings; shortcuts: Shortcut[] }) {
  const { view, refresh } = useView(isPrivate, first);
  const [settings, setSettings] = useState(chosen);
  const now = useNow(() => []);
  useEffect(() => watchSettings(setSettings), []);
  useEffect(() => setTheme(settings.theme), [settings.theme]);

  const baseUrl = view.connection?.baseUrl ?? null;
  const actions = useMemo<Actions>(() => {
    const change = (next: Settings) => {
      setSettings(next);
      void writeSettings(next);
    };
    return {
      test: async (address, apiKey) => {
        if (!(await allowed(address))) return { ok: false, code: 'denied' };
        return answered<ConnectionReport>({ type: 'test-connection', baseUrl: address, apiKey });
      },
      connect: async (address, apiKey) => {
        if (!(await allowed(address))) return { ok: false, code: 'denied' };
        const outcome = await answered<ConnectionReport>({ type: 'connect', baseUrl: address, apiKey });
        if (outcome.ok && baseUrl !== null) await giveBack(baseUrl, address);
        await refresh();
        return outcome;
      },
      forget: async () => {
        const outcome = await answered({ type: 'forget-connection' });
        if (outcome.ok && baseUrl !== null) await giveBack(baseUrl, null);
        await refresh();
        return outcome;
      },
      change,
      setNotifications: (on) => {
        const permissions = { permissions: ['notifications' as const] };
        const done = on ? browser.permissions.request(permissions) : browser.permissions.remove(permissions);
        void done.then((agreed) => change({ ...settings, notifications: on && agreed }));
      },
      openShortcuts: () => void openShortcuts(),
      openLinks: () => void browser.tabs.create({ url: browser.runtime.getURL('src/links/index.html') }),
    };
  }, [settings, baseUrl, refresh]);

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

/** Called first thing in the click: after an await the browser no longer takes it for the person's own wish. */
function allowed(address: string): Promise<boolean> {
  return browser.permissions.request({ origins: [hostPattern(address)] });
}

async function answered<T = null>(message: Parameters<typeof askSurely>[0]): Promise<Outcome<T>> {
  try {
    return await askSurely<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}

/** Gives the permission for a service back that is not used any more. Kept against our wish, it is no reason to stop. */
async function giveBack(old: string, current: string | null): Promise<void> {
  const pattern = hostPattern(old);
  if (current !== null && hostPattern(current) === pattern) return;
  await browser.permissions.remove({ origins: [pattern] }).catch(() => undefined);
}

/** A connection link in the page's own address, as `npm start` opens it. The key does not stay there. */
function takeOffered(): Connection | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('connection');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname);
  return parseConnectionLink(link);
}

async function readShortcuts(): Promise<Shortcut[]> {
  // Firefox for Android has no keyboard shortcuts.
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
