import { readLinks, readQueues } from '../messages/read.ts';
import { readSettings } from '../storage/settings.ts';
import { openPage } from '../ui/page.tsx';
import { setTheme } from '../ui/theme.ts';
import { handedOrder } from '../ui/use-order.ts';
import { readOpening } from './handed-target.ts';
import { Popup } from './popup.tsx';
import { linkQuery } from './popup-state.ts';
import { useHandlers } from './use-handlers.ts';
import { useLastHeight } from './use-last-height.ts';
import { type PopupStart, usePopup } from './use-popup.ts';

void openPage('extensionName', async () => {
  const [{ tab, handed }, settings] = await Promise.all([readOpening(), readSettings()]);
  setTheme(settings.theme);
  const query = linkQuery(tab, handed && handedOrder(handed, null), settings);
  const [queues, links] = await Promise.all([readQueues(tab.private), readLinks(tab.private, query)]);
  return <App start={{ tab, handed, settings, queues, links }} />;
});

function App({ start }: { start: PopupStart }) {
  const model = usePopup(start);
  useLastHeight();
  return <Popup {...model} handlers={useHandlers(model, start.settings.shortenOnOpen)} />;
}
