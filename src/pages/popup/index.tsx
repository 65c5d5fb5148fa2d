import browser from '../../browser/browser.ts';
import { openPage } from '../../components/page-shell.tsx';
import { PAGE_DEPS } from '../../components/page-store.ts';
import { handedOrder } from '../../components/shorten-command.ts';
import { readQueues, readStoredLinks } from '../../components/stored-data.ts';
import { openPrivately } from '../../messages/open-page-with-data.ts';
import { readSettings } from '../../storage/settings.ts';
import { Popup } from './popup.tsx';
import { linkQuery, pageOf } from './popup-state.ts';
import { createPopupStore, type PopupDeps } from './popup-store.ts';
import { readOpening } from './read-tab.ts';

const deps: PopupDeps = {
  ...PAGE_DEPS,
  openPrivately,
  openOptions: () => browser.runtime.openOptionsPage().then(() => close()),
  close: () => close(),
};

void openPage('extensionName', async () => {
  const [{ tab, handed }, settings] = await Promise.all([readOpening(), readSettings()]);
  const page = pageOf(tab, () => false, settings);
  const query = linkQuery(page, handed && handedOrder(handed, null), settings);
  const [queues, links] = await Promise.all([readQueues(), readStoredLinks(query)]);
  const store = createPopupStore(deps, { tab, handed, settings, queues, links });
  store.start();
  return <Popup store={store} />;
});
