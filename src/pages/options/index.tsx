import { useEffect } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { takeOfferedConnection } from '../../components/connection-form/connection-draft.ts';
import { useErrorToast } from '../../components/error-toast.tsx';
import { useNow } from '../../components/hooks/use-now.ts';
import { setTheme, useSettings } from '../../components/hooks/use-settings-and-theme.ts';
import { readQueues, useQueues } from '../../components/hooks/use-stored-data.ts';
import { openPage } from '../../components/page-shell.tsx';
import type { VisibleQueues } from '../../queue/types.ts';
import { readSettings, type Settings } from '../../storage/settings.ts';
import { OptionsPage } from './options-page.tsx';
import { readShortcuts, type Shortcut } from './shortcuts-section.tsx';
import { dataHandlers } from './use-import-export.ts';
import { useOptionsActions } from './use-options-actions.ts';

const offered = takeOfferedConnection();

void openPage('optionsTitle', async () => {
  const [view, settings, shortcuts] = await Promise.all([readQueues(), readSettings(), readShortcuts()]);
  setTheme(settings.theme);
  return <App first={view} chosen={settings} shortcuts={shortcuts} />;
});

function App({ first, chosen, shortcuts }: { first: VisibleQueues; chosen: Settings; shortcuts: Shortcut[] }) {
  const queues = useQueues(first);
  const { settings, ...settingsHandlers } = useSettings(chosen);
  const { flash, ...flashing } = useErrorToast(queues.refresh);
  const handlers = useOptionsActions(queues, settingsHandlers, flashing);
  const now = useNow();
  useEffect(() => setTheme(settings.theme), [settings.theme]);
  const { version, omnibox } = browser.runtime.getManifest();
  const keyword = omnibox?.keyword ?? '';
  const shown = { offered, settings, shortcuts, keyword, version, now, flash, handlers };
  return <OptionsPage view={queues.value} data={dataHandlers} {...shown} />;
}
