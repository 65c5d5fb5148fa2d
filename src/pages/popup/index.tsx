import { useEffect } from 'preact/hooks';
import { setTheme } from '../../components/hooks/use-settings-and-theme.ts';
import { handedOrder } from '../../components/hooks/use-shorten.ts';
import { readQueues, readStoredLinks } from '../../components/hooks/use-stored-data.ts';
import { openPage } from '../../components/page-shell.tsx';
import { readSettings } from '../../storage/settings.ts';
import { Popup } from './popup.tsx';
import { linkQuery } from './popup-state.ts';
import { readOpening } from './read-current-tab.ts';
import { type PopupStart, usePopup } from './use-popup.ts';
import { usePopupActions } from './use-popup-actions.ts';

/**
 * Stores the height of the popup. The next time the popup opens, `public/first-paint.js` sets this height, so that
 * the popup does not grow.
 */
export function useLastHeight(): void {
  useEffect(() => {
    const popup = document.querySelector('main');
    document.documentElement.style.removeProperty('--last-height');
    if (!popup) return;
    const observer = new ResizeObserver(() => {
      // The height is not stored while an open dialog or form makes the popup taller.
      if (!popup.querySelector('dialog[open], .link-form:not([hidden])'))
        localStorage.setItem('popupHeight', String(popup.offsetHeight));
    });
    observer.observe(popup);
    return () => observer.disconnect();
  }, []);
}

void openPage('extensionName', async () => {
  const [{ tab, handed }, settings] = await Promise.all([readOpening(), readSettings()]);
  setTheme(settings.theme);
  const query = linkQuery(tab, handed && handedOrder(handed, null), settings);
  const [queues, links] = await Promise.all([readQueues(), readStoredLinks(query)]);
  return <App start={{ tab, handed, settings, queues, links }} />;
});

function App({ start }: { start: PopupStart }) {
  const model = usePopup(start);
  useLastHeight();
  return <Popup {...model} handlers={usePopupActions(model, start.settings.shortenOnOpen)} />;
}
