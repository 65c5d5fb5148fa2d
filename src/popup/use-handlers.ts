import { useEffect, useMemo } from 'preact/hooks';
import { openWithList } from '../messages/handed-list.ts';
import { pageAddress } from '../messages/private-page.ts';
import browser from '../platform/browser.ts';
import { isWebAddress } from '../target/target.ts';
import { allowAccess } from '../ui/access.ts';
import { openPrivately, openTab } from '../ui/open-tab.ts';
import { t } from '../ui/strings.ts';
import { isWindow } from './handed-target.ts';
import type { PopupHandlers } from './popup-handlers.ts';
import type { PopupModel } from './use-popup.ts';

/** What the popup's buttons do. `shortenOnOpen`: the page is shortened without one, as the popup opens. */
export function useHandlers(
  { tab, state, order, target, chosen, requests, commands }: PopupModel,
  shortenOnOpen: boolean,
) {
  const { place, askAgain, show, showFlash, change, choose } = commands;
  const connectionId = chosen?.connection.id ?? null;

  const handlers = useMemo<PopupHandlers>(
    () => ({
      shorten: ({ url, title, userInfoRemoved, options = null, insteadOf }) =>
        place({ url, title, userInfoRemoved, options, connectionId, anew: false, insteadOf }),
      shortenAnew: ({ url, title, userInfoRemoved, options = null }) =>
        place({ url, title, userInfoRemoved, options, connectionId, anew: true }),
      askAgain,
      leaveOrder: () => show(null),
      cancel: async (id) => {
        const request = requests.find((one) => one.request.id === id)?.request;
        const done = await change({ type: 'cancel', ids: [id] });
        if (done && id === order?.resultId) show(null);
        // What may have been created without an answer may work.
        if (done && request?.state === 'waiting' && request.handedOut !== undefined) {
          showFlash({ text: t('givenUpHandedOut', request.handedOut) });
        }
      },
      retry: (id) => void change({ type: 'retry', id }),
      handOut: ({ id, connectionId }, shortUrl) =>
        connectionId !== null && void change({ type: 'handed-out', connectionId, requestId: id, shortUrl }),
      tryNow: (id) => void change({ type: 'try-now', connectionId: id }),
      allowAccess: (connection) => void allowAccess(connection, { change, show: showFlash }),
      choose: (id) => {
        choose(id);
        void change({ type: 'set-default-connection', connectionId: id });
      },
      dismissFlash: () => showFlash(null),
      openOptions: () => void browser.runtime.openOptionsPage().then(() => close()),
      openWelcome: () => openAndClose(browser.runtime.getURL('src/welcome/index.html')),
      openLinks: () => openAndClose(pageAddress('links', tab.private)),
      openMany: () =>
        void selectedTabs().then((ids) => openAndClose(pageAddress('many', tab.private, `from=${tab.id}${ids}`))),
      openQueue: () => openAndClose(pageAddress('queue-page', tab.private)),
      openList: (text) => void openWithList({ text, tabId: null, private: tab.private }).then(() => close()),
      open: (url) => {
        if (!isWebAddress(url)) return;
        // The popup's small window is an ordinary one, also if it shows a private link.
        const opened = tab.private && isWindow() ? openPrivately(url) : openTab(url);
        void opened.then(
          () => close(),
          () => showFlash({ text: t('refusal_internal'), url }),
        );
      },
    }),
    [place, askAgain, show, change, showFlash, choose, connectionId, order?.resultId, requests, tab.private],
  );

  // Once, as the popup opens.
  useEffect(() => {
    if (shortenOnOpen && state.kind === 'ready') void handlers.shorten({ ...target, url: state.url });
  }, []);

  return handlers;
}

/** The ids of tabs that are selected together: a new tab ends their selection. Where there is one alone, none. */
async function selectedTabs(): Promise<string> {
  const tabs = await browser.tabs.query({ highlighted: true, currentWindow: true }).catch(() => []);
  return tabs.length > 1 ? `&tabs=${tabs.map(({ id }) => id).join()}` : '';
}

/** A popup ends with what it has opened. */
function openAndClose(url: string): void {
  void openTab(url).then(() => close());
}
