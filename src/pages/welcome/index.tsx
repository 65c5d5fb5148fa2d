import browser from '../../browser/browser.ts';
import { takeOfferedConnection } from '../../components/connection-form/connection-draft.ts';
import { openPage } from '../../components/page-shell.tsx';
import { createSettingsStore } from '../../components/settings-store.ts';
import { readQueues } from '../../components/stored-data.ts';
import { readSettings } from '../../storage/settings.ts';
import { WelcomePage } from './welcome-page.tsx';
import { createWelcomeStore, type Toolbar, WELCOME_DEPS } from './welcome-store.ts';

const offered = takeOfferedConnection();

void openPage('welcomeTitle', async () => {
  const [view, settings, toolbar, commands] = await Promise.all([
    readQueues(),
    readSettings(),
    readToolbar(),
    browser.commands?.getAll(),
  ]);
  const shortcut = commands?.find(({ name }) => name === '_execute_action')?.shortcut ?? '';
  const start = { view, settings: createSettingsStore(settings), offered, toolbar, shortcut };
  const store = createWelcomeStore(WELCOME_DEPS, start);
  store.start();
  return <WelcomePage store={store} />;
});

/** Returns the kind of toolbar that this browser has. */
async function readToolbar(): Promise<Toolbar> {
  const { os } = await browser.runtime.getPlatformInfo();
  if (os === 'android') return 'none';
  // Only Firefox has `getBrowserInfo`.
  return 'getBrowserInfo' in browser.runtime ? 'firefox' : 'chrome';
}
