import { useEffect, useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { allowHostAndResume } from '../../components/error-toast.tsx';
import type { NewShortenCommand } from '../../components/hooks/use-shorten.ts';
import { t } from '../../format/i18n.ts';
import { openPrivately, openTab, openWithList, pageAddress } from '../../messages/open-page-with-data.ts';
import type { Connection, LinkOptions } from '../../queue/types.ts';
import { isWebUrl } from '../../urls/shortenable-url-rules.ts';
import { isWindow } from './read-current-tab.ts';
import type { PopupModel } from './use-popup.ts';

/** Returns the actions of the popup. If `shortenOnOpen` is true, also shortens the page's URL when the popup opens. */
export function usePopupActions({ tab, state, order, target, chosen, commands }: PopupModel, shortenOnOpen: boolean) {
  const { place, askAgain, show, showFlash, change, choose } = commands;
  const connectionId = chosen?.connection.id ?? null;

  const refuseList = (): void => showFlash({ text: t('refusal_private_list') });
  const handlers = useMemo(
    () => ({
      /** Shortens a URL. Resolves to true if the background worker accepted the command. */
      shorten: ({ url, title, userInfoRemoved, options = null, insteadOf }: Shorten) =>
        place({ url, title, userInfoRemoved, options, connectionId, anew: false, insteadOf }),
      /** Creates another link for a URL that already has one. */
      shortenAnew: ({ url, title, userInfoRemoved, options = null }: Shorten) =>
        place({ url, title, userInfoRemoved, options, connectionId, anew: true }),
      /** Sends an unanswered command again, with the same id. */
      askAgain,
      /** Makes the popup show the current page again. */
      leaveOrder: (): void => show(null),
      cancel: async (id: string) => {
        const done = await change({ type: 'cancel', ids: [id] });
        if (done && id === order?.resultId) show(null);
      },
      retry: (id: string): void => void change({ type: 'retry', id }),
      /** Makes a queue try to send now, even if the queue is blocked or delayed. */
      tryNow: (id: string): void => void change({ type: 'try-now', connectionId: id }),
      /** Asks the user for permission to access a server. */
      allowAccess: (connection: Connection): void => void allowHostAndResume(connection, { change, show: showFlash }),
      /** Switches to a connection and makes it the default. */
      choose: (id: string): void => {
        choose(id);
        void change({ type: 'set-default-connection', connectionId: id });
      },
      dismissFlash: (): void => showFlash(null),
      openOptions: (): void => void browser.runtime.openOptionsPage().then(() => close()),
      openWelcome: (): void => openAndClose(browser.runtime.getURL('src/pages/welcome/index.html')),
      openLinks: (): void => openAndClose(pageAddress('links')),
      /** Opens the bulk page with the currently selected tabs. */
      openMany: (): void =>
        tab.private
          ? refuseList()
          : void selectedTabs().then((ids) => openAndClose(pageAddress('bulk', `from=${tab.id}${ids}`))),
      openQueue: (): void => openAndClose(pageAddress('queue')),
      /** Opens the bulk page with text that contains several URLs. */
      openList: (text: string): void =>
        tab.private ? refuseList() : void openWithList({ text, tabId: null }).then(() => close()),
      open: (url: string): void => {
        if (!isWebUrl(url)) return;
        // In a popup window, `openTab` would open a link from a private tab in a normal window.
        const opened = tab.private && isWindow() ? openPrivately(url) : openTab(url);
        void opened.then(
          () => close(),
          () => showFlash({ text: t('refusal_internal'), url }),
        );
      },
    }),
    [place, askAgain, show, change, showFlash, choose, connectionId, order?.resultId, tab.private],
  );

  // Runs once, when the popup opens.
  useEffect(() => {
    // In a private window, the popup first says what the server will know.
    if (shortenOnOpen && !tab.private && state.kind === 'ready') void handlers.shorten({ ...target, url: state.url });
  }, []);

  return handlers;
}

/**
 * Returns the ids of the selected tabs as a URL parameter. Empty if only one tab is selected. The bulk page cannot
 * read the selection, because opening its tab clears the selection.
 */
async function selectedTabs(): Promise<string> {
  const tabs = await browser.tabs.query({ highlighted: true, currentWindow: true }).catch(() => []);
  return tabs.length > 1 ? `&tabs=${tabs.map(({ id }) => id).join()}` : '';
}

function openAndClose(url: string): void {
  void openTab(url).then(() => close());
}

/** A URL to shorten, with its title and link options. */
export type Shorten = Pick<NewShortenCommand, 'url' | 'title' | 'userInfoRemoved'> & {
  /** Null or absent if the user's link defaults apply. */
  options?: LinkOptions | null;
  /** Id of an existing request that the new request replaces. */
  insteadOf?: string | undefined;
};

export type PopupActions = ReturnType<typeof usePopupActions>;
