import { writeClipboard } from '../../browser/clipboard-and-download.ts';
import { createCopier } from '../../components/copier.ts';
import { openPage } from '../../components/page-shell.tsx';
import { HostingPage } from './hosting-page.tsx';

void openPage('hostingGuide', async () => <HostingPage copier={createCopier(writeClipboard)} />);
