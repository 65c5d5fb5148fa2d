import { writeClipboard } from '../../browser/clipboard-and-download.ts';
import { createCopier } from '../../components/copier.ts';
import { openPage } from '../../components/page-shell.tsx';
import { setTheme } from '../../components/settings-store.ts';
import { readSettings } from '../../storage/settings.ts';
import { HostingPage } from './hosting-page.tsx';

void openPage('hostingGuide', async () => {
  setTheme((await readSettings()).theme);
  return <HostingPage copier={createCopier(writeClipboard)} />;
});
