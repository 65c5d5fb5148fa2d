import browser from '../browser/browser.ts';
import type { NotShortenable } from '../urls/shortenable-url-rules.ts';
import type { PrivateResult, RefusalCode, SeenServer } from './protocol.ts';

/**
 * Maximum age of data that is passed to a page. Older data is ignored, because the user has probably opened the page
 * for another reason.
 */
const MAX_AGE_MS = 60_000;

/**
 * Passes data to the page that opens next. The data is stored only in memory (`storage.session`), because it may come
 * from a private window.
 */
function handOver<T extends { at: number }>(key: string) {
  return {
    give: (handed: T): Promise<void> => browser.storage.session.set({ [key]: handed }),

    /**
     * Returns the data and deletes it, so that no other page receives it. Returns null if there is no data, or if it is
     * too old or meant for another page.
     */
    async take(isForPage: (handed: T) => boolean | Promise<boolean> = () => true, now = Date.now()): Promise<T | null> {
      const { [key]: record } = await browser.storage.session.get(key);
      const handed = record as T | undefined;
      if (!handed) return null;
      const isFresh = Math.abs(now - handed.at) <= MAX_AGE_MS;
      if (isFresh && !(await isForPage(handed))) return null;
      await browser.storage.session.remove(key);
      return isFresh ? handed : null;
    },
  };
}

export type PageName = 'bulk' | 'links' | 'options' | 'queue' | 'welcome';

/** Returns the URL of a page of the extension. */
export function pageAddress(page: PageName, query = ''): string {
  return browser.runtime.getURL(`src/pages/${page}/index.html${query && `?${query}`}`);
}

export interface HandedList {
  text: string;
  /** Id of the tab from which the bulk page reads the selected links. Null if the page reads no selection. */
  tabId: number | null;
  /** True if the text was dropped because it was too long. The bulk page then shows an error. */
  isTooLong?: true;
}

/**
 * Maximum length of a list of URLs in session storage, in UTF-16 code units. Session storage holds only 10 MB and
 * also contains other data.
 */
const MAX_TEXT_LENGTH = 500_000;

export const handedList = handOver<HandedList & { at: number }>('handedList');

/** Opens the bulk page with a list of URLs. */
export async function openWithList(handed: HandedList): Promise<void> {
  const isTooLong = handed.text.length > MAX_TEXT_LENGTH;
  await handedList.give({ ...handed, ...(isTooLong && { text: '', isTooLong }), at: Date.now() });
  await browser.tabs.create({ url: pageAddress('bulk') });
}

export const handedSearch = handOver<{ words: string; at: number }>('linksSearch');

/** Opens the links page with a search. The search terms may be private, so they are not part of the page's URL. */
export async function openLinksFor(words: string): Promise<void> {
  await handedSearch.give({ words, at: Date.now() });
  await browser.tabs.create({ url: pageAddress('links') });
}

/**
 * Link request from a context menu, a keyboard shortcut or the address bar. The popup opens to show the request's
 * progress.
 */
export interface PopupTarget {
  at: number;
  /** Id of the link request. Unless `existing` is set, the link will have the same id. */
  orderId: string;
  url: string | undefined;
  title: string;
  /** Id of the user's current tab. Undefined if there is no tab or the browser does not report the id. */
  tabId?: number | undefined;
  private: boolean;
  /** Reason why the URL cannot be shortened. */
  refusal?: RefusalCode | NotShortenable;
  existing?: { linkId: string; shortUrl: string };
  /** False if the background worker does not copy the link. */
  isCopied?: boolean;
  /** Result of a request from a private window. It is not stored anywhere else. */
  result?: PrivateResult;
  /** Connection that a request from a private window used. */
  server?: SeenServer | undefined;
}

export const popupTarget = handOver<PopupTarget>('popupTarget');

/** Deletes a result from a private window that no popup has shown. */
export async function forgetPrivateTarget(): Promise<void> {
  await popupTarget.take((target) => target.private);
}

export async function openTab(url: string): Promise<void> {
  await browser.tabs.create({ url });
}

/**
 * Opens a URL in an open private window, or in a new one. A popup in a separate window uses this function for links
 * from private windows, because these links must not appear in the browser's history.
 *
 * @throws if the browser cannot open a private window
 */
export async function openPrivately(url: string): Promise<void> {
  if (!browser.windows) throw new Error('There are no windows.');
  const open = await browser.windows.getAll({ windowTypes: ['normal'] });
  const windowId = open.findLast(({ incognito }) => incognito)?.id;
  if (windowId === undefined) {
    await browser.windows.create({ url, incognito: true });
    return;
  }
  await browser.tabs.create({ url, windowId });
  await browser.windows.update(windowId, { focused: true });
}
