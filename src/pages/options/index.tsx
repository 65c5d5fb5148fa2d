import browser from '../../browser/browser.ts';
import { takeOfferedConnection } from '../../components/connection-form/connection-draft.ts';
import { openPage } from '../../components/page-shell.tsx';
import { createSettingsStore } from '../../components/settings-store.ts';
import { readQueues } from '../../components/stored-data.ts';
import { readSettings } from '../../storage/settings.ts';
import { OptionsPage } from './options-page.tsx';
import { createOptionsStore, OPTIONS_DEPS } from './options-store.ts';

const offered = takeOfferedConnection();

void openPage('optionsTitle', async () => {
  const [view, settings] = await Promise.all([readQueues(), readSettings()]);
  const store = createOptionsStore(OPTIONS_DEPS, { view, offered, settings: createSettingsStore(settings) });
  store.start();
  return <OptionsPage store={store} version={browser.runtime.getManifest().version} />;
});
