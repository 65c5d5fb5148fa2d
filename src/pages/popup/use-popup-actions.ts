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

/** What the popup's buttons do. `shortenOnOpen`: the page is shortened without one, as the popup opens. */
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
        // What may have been created without an answer may work.
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
        void selectedTabs().then((ids) => openAndClose(pageAddress('bulk', tab.private, `from=${tab.id}${ids}`))),
      openQueue: () => openAndClose(pageAddress('queue', tab.private)),
      openList: (text) => void openWithList({ text, tabId: null, private: tab.private }).then(() => close()),
      open: (url) => {
        if (!isWebUrl(url)) return;
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

/** What to shorten; with which connection, the popup knows. */
export type Shorten = Pick<NewShortenCommand, 'url' | 'title' | 'userInfoRemoved'> & {
  /** Absent: the user's link defaults apply. */
  options?: LinkOptions | null;
  /** The id of a request that this one replaces. */
  insteadOf?: string | undefined;
};

/** What the person can do in the popup; `use-handlers.ts` says how. */
export interface PopupActions {
  /** Resolves to true once it is accepted. */
  shorten: (what: Shorten) => Promise<boolean>;
  /** Makes another short URL of what has one. */
  shortenAnew: (what: Shorten) => Promise<boolean>;
  /** Asks again for what went unanswered, by the same id. */
  askAgain: () => void;
  /** Back from another URL to the page. */
  leaveOrder: () => void;
  cancel: (id: string) => void;
  retry: (id: string) => void;
  /** Notes that the person has the short URL of a request that waits: copied, or shown as a QR code. */
  handOut: (request: Request, shortUrl: string) => void;
  /** Drops what stands in a queue's way and tries now. */
  tryNow: (connectionId: string) => void;
  /** Asks the browser for access to a service. */
  allowAccess: (connection: Connection) => void;
  /** Makes a connection the default one, and shortens with it from now on. */
  choose: (connectionId: string) => void;
  dismissFlash: () => void;
  openOptions: () => void;
  /** Opens the page that leads a new person to the first link. */
  openWelcome: () => void;
  openLinks: () => void;
  /** Opens the page for many at once with a text that names several addresses. */
  openList: (text: string) => void;
  /** Opens the page for many addresses at once; it is told which tabs are selected in the tab strip now. */
  openMany: () => void;
  openQueue: () => void;
  open: (url: string) => void;
}
