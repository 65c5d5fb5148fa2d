import { openPage } from '../../components/page-shell.tsx';
import { PAGE_DEPS } from '../../components/page-store.ts';
import { readQueues } from '../../components/stored-data.ts';
import { t } from '../../format/i18n.ts';
import { handedList, pageAddress } from '../../messages/open-page-with-data.ts';
import { readSettings } from '../../storage/settings.ts';
import { BulkPage } from './bulk-page.tsx';
import { createBulkStore } from './bulk-store.ts';

const asked = new URLSearchParams(location.search);

void openPage('manyTitle', async () => {
  const handed = await handedList.take().catch(() => null);
  const [view, settings] = await Promise.all([readQueues(), readSettings()]);
  const deps = { ...PAGE_DEPS, showProgress: (id: string) => location.assign(pageAddress('queue', `list=${id}`)) };
  const store = createBulkStore(deps, {
    view,
    settings,
    // The tab that was active when the user opened this page from the popup.
    selectionTabId: handed?.tabId ?? (Number(asked.get('from')) || null),
  });
  store.start();
  if (handed?.text) store.addText(handed.text);
  if (handed?.isTooLong) store.flash.value = { text: t('manyTextTooLong') };
  return <BulkPage store={store} />;
});
