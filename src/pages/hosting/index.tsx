import { useClipboard } from '../../components/copy-button.tsx';
import { useErrorToast } from '../../components/error-toast.tsx';
import { setTheme } from '../../components/hooks/use-settings-and-theme.ts';
import { openPage } from '../../components/page-shell.tsx';
import { readSettings } from '../../storage/settings.ts';
import { HostingPage } from './hosting-page.tsx';

void openPage('hostingGuide', async () => {
  setTheme((await readSettings()).theme);
  return <App />;
});

function App() {
  const { flash, show, copy } = useErrorToast(() => Promise.resolve());
  const clipboard = useClipboard(copy);
  return <HostingPage clipboard={clipboard} flash={flash} dismissFlash={() => show(null)} />;
}
