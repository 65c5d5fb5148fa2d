import browser from '../../browser/browser.ts';
import { takeOfferedConnection } from '../../components/connection-form/connection-draft.ts';
import { openPage } from '../../components/page-shell.tsx';
import { createSettingsStore } from '../../components/settings-store.ts';
import { readQueues } from '../../components/stored-data.ts';
import { readSettings } from '../../storage/settings.ts';
import { OptionsPage } from './options-page.tsx';
import { createOptionsStore, OPTIONS_DEPS } from './options-store.ts';
import { readShortcuts } from './settings-sections.tsx';

const offered = takeOfferedConnection();

void openPage('optionsTitle', async () => {
  const [view, settings, shortcuts] = await Promise.all([readQueues(), readSettings(), readShortcuts()]);
  const store = createOptionsStore(OPTIONS_DEPS, { view, offered, settings: createSettingsStore(settings) });
  store.start();
  const { version, omnibox } = browser.runtime.getManifest();
  return <OptionsPage {...{ store, shortcuts, version }} keyword={omnibox?.keyword ?? ''} />;
});
