import { useEffect, useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { allowHostAndResume } from '../../browser/host-permissions.ts';
import type { NewShortenCommand } from '../../components/hooks/use-shorten.ts';
import { t } from '../../format/i18n.ts';
import { openPrivately, openTab, openWithList, pageAddress } from '../../messages/open-page.ts';
import type { Connection, LinkOptions, Request } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url.ts';
import { isWindow } from './current-page.ts';
import type { PopupModel } from './use-popup.ts';

/** Returns the actions of the popup. `shortenOnOpen`: shorten the page when the popup opens. */
export function usePopupActions(
  { tab, state, order, target, chosen, requests, commands }: PopupModel,
  shortenOnOpen: boolean,
) {
  const { place, askAgain, show, showFlash, change, choose } = commands;
  const connectionId = chosen?.connection.id ?? null;

  const handlers = useMemo<PopupActions>(
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
        // Even if no response arrived, the link may exist and its short URL may work.
        if (done && request?.state === 'waiting' && request.handedOut !== undefined) {
          showFlash({ text: t('givenUpHandedOut', request.handedOut) });
        }
      },
      retry: (id) => void change({ type: 'retry', id }),
      handOut: ({ id, connectionId }, shortUrl) =>
        connectionId !== null && void change({ type: 'handed-out', connectionId, requestId: id, shortUrl }),
      tryNow: (id) => void change({ type: 'try-now', connectionId: id }),
      allowAccess: (connection) => void allowHostAndResume(connection, { change, show: showFlash }),
      choose: (id) => {
        choose(id);
        void change({ type: 'set-default-connection', connectionId: id });
      },
      dismissFlash: () => showFlash(null),
      openOptions: () => void browser.runtime.openOptionsPage().then(() => close()),
      openWelcome: () => openAndClose(browser.runtime.getURL('src/pages/welcome/index.html')),
      openLinks: () => openAndClose(pageAddress('links', tab.private)),
      openMany: () =>
        void selectedTabs().then((ids) => openAndClose(pageAddress('many', tab.private, `from=${tab.id}${ids}`))),
      openQueue: () => openAndClose(pageAddress('queue-page', tab.private)),
      openList: (text) => void openWithList({ text, tabId: null, private: tab.private }).then(() => close()),
      open: (url) => {
        if (!isWebUrl(url)) return;
        // The separate popup window is a normal window, even if it shows a private link.
        const opened = tab.private && isWindow() ? openPrivately(url) : openTab(url);
        void opened.then(
          () => close(),
          () => showFlash({ text: t('refusal_internal'), url }),
        );
      },
    }),
    [place, askAgain, show, change, showFlash, choose, connectionId, order?.resultId, requests, tab.private],
  );

  // Runs once, when the popup opens.
  useEffect(() => {
    if (shortenOnOpen && state.kind === 'ready') void handlers.shorten({ ...target, url: state.url });
  }, []);

  return handlers;
}

/** Returns the ids of the selected tabs, because a new tab clears the selection. Empty if only one is selected. */
async function selectedTabs(): Promise<string> {
  const tabs = await browser.tabs.query({ highlighted: true, currentWindow: true }).catch(() => []);
  return tabs.length > 1 ? `&tabs=${tabs.map(({ id }) => id).join()}` : '';
}

/** Closes the popup after opening a page. */
function openAndClose(url: string): void {
  void openTab(url).then(() => close());
}

/** The URL to shorten. The popup adds the connection. */
export type Shorten = Pick<NewShortenCommand, 'url' | 'title' | 'userInfoRemoved'> & {
  /** Absent: the user's link defaults apply. */
  options?: LinkOptions | null;
  /** Id of a request that this one replaces. */
  insteadOf?: string | undefined;
};

/** Actions of the popup. */
export interface PopupActions {
  /** Resolves to true if the command was accepted. */
  shorten: (what: Shorten) => Promise<boolean>;
  /** Creates another link for a URL that already has one. */
  shortenAnew: (what: Shorten) => Promise<boolean>;
  /** Sends an unanswered command again, with the same id. */
  askAgain: () => void;
  /** Goes back from another URL to the page. */
  leaveOrder: () => void;
  cancel: (id: string) => void;
  retry: (id: string) => void;
  /** Records that the user has the short URL of a pending request, because it was copied or shown as a QR code. */
  handOut: (request: Request, shortUrl: string) => void;
  /** Makes a queue try to send now, even if it is blocked or delayed. */
  tryNow: (connectionId: string) => void;
  /** Asks the browser for access to a server. */
  allowAccess: (connection: Connection) => void;
  /** Makes a connection the default and uses it from now on. */
  choose: (connectionId: string) => void;
  dismissFlash: () => void;
  openOptions: () => void;
  /** Opens the welcome page. */
  openWelcome: () => void;
  openLinks: () => void;
  /** Opens the bulk page with a text that contains several URLs. */
  openList: (text: string) => void;
  /** Opens the bulk page, with the tabs that are selected now. */
  openMany: () => void;
  openQueue: () => void;
  open: (url: string) => void;
}
