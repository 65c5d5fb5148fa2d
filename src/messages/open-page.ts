import browser from '../browser/browser.ts';
import type { NotShortenable } from '../urls/shortenable-url.ts';
import type { RefusalCode } from './protocol.ts';

/** Data for a page that is about to open. */
export interface HandedOver {
  private: boolean;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Time after which the data is ignored. A page that opens later was opened for another reason. */
const MAX_AGE_MS = 60_000;

/**
 * Hands data to the page that opens next, or to one that is open. The data may be private, so it is kept only in memory
 * (`storage.session`).
 */
export class HandOver<T extends HandedOver> {
  /** Key in `storage.session`. */
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  async give(handed: T): Promise<void> {
    await browser.storage.session.set({ [this.key]: handed });
  }

  /** Deletes data of a private window that no page has taken. */
  async forgetPrivate(): Promise<void> {
    if ((await read(this))?.private) await browser.storage.session.remove(this.key);
  }
}

/**
 * Takes the data, so that no other page receives it. Null if there is none or it is old.
 *
 * @param isForPage returns false for data that another page must show
 */
export async function takeHandedOver<T extends HandedOver>(
  handOver: HandOver<T>,
  isForPage: (handed: T) => boolean | Promise<boolean>,
  now = Date.now(),
): Promise<T | null> {
  const handed = await read(handOver);
  if (!handed) return null;
  const isFresh = Math.abs(now - handed.at) <= MAX_AGE_MS;
  if (isFresh && !(await isForPage(handed))) return null;
  await browser.storage.session.remove(handOver.key);
  return isFresh ? handed : null;
}

/** Calls back when data is handed over while the page is open. Returns a function that unsubscribes. */
export function watchHandedOver({ key }: { key: string }, changed: () => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'session' && changes[key]?.newValue !== undefined) changed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}

async function read<T extends HandedOver>({ key }: HandOver<T>): Promise<T | undefined> {
  const { [key]: record } = await browser.storage.session.get(key);
  return record as T | undefined;
}

/**
 * URL parameter of pages that were opened from a private window. Chromium opens them in an ordinary window, so only the parameter
 * tells them.
 */
export const PRIVATE = 'private';

/** Folder of a page under `src/pages/`. */
export type PageName = 'bulk' | 'links' | 'options' | 'queue';

/** Returns the address of a page. If `isPrivate`, the page also shows the links and requests of private windows. */
export function pageAddress(page: PageName, isPrivate: boolean, query = ''): string {
  const parameters = [query, isPrivate ? PRIVATE : ''].filter(Boolean).join('&');
  return browser.runtime.getURL(`src/pages/${page}/index.html${parameters && `?${parameters}`}`);
}

/** True if this page shows the data of private windows. */
export function isPrivatePage(): boolean {
  return new URLSearchParams(location.search).has(PRIVATE) || (browser.extension.inIncognitoContext ?? false);
}

/** List that a menu, a shortcut or a paste hands to the bulk page. */
export interface HandedList {
  /** Text in which the page finds the URLs. */
  text: string;
  /** Tab whose selected links the page reads, if the browser allows it. Null if there is none. */
  tabId: number | null;
  private: boolean;
  /** The text was too long and was dropped. The page tells the user. */
  isTooLong?: true;
}

/** Maximum length of the text in UTF-16 units. Session storage holds 10 MB, which private windows need too. */
export const MAX_TEXT_LENGTH = 500_000;

const handedList = new HandOver<HandedList & HandedOver>('handedList');

/** Opens the bulk page with a list. */
export async function openWithList(handed: HandedList): Promise<void> {
  const isTooLong = handed.text.length > MAX_TEXT_LENGTH;
  await handedList.give({ ...handed, ...(isTooLong && { text: '', isTooLong }), at: Date.now() });
  // The address keeps the mark when the user reloads the page.
  await browser.tabs.create({ url: pageAddress('bulk', handed.private) });
}

/**
 * Takes the list that was handed to the bulk page. Null if there is none.
 *
 * @param showsPrivate true if the page shows private data. Other pages do not receive private lists.
 */
export function takeHandedList(showsPrivate: boolean): Promise<HandedList | null> {
  return takeHandedOver(handedList, (list) => showsPrivate || !list.private);
}

/** Deletes a private list that no page has taken. */
export function forgetPrivateList(): Promise<void> {
  return handedList.forgetPrivate();
}

const handedSearch = new HandOver<HandedOver & { words: string }>('linksSearch');

/** Opens the links page with a search. The words may be private, so they are not part of the address. */
export async function openLinksFor(words: string, isPrivate: boolean): Promise<void> {
  await handedSearch.give({ words, private: isPrivate, at: Date.now() });
  await browser.tabs.create({ url: pageAddress('links', isPrivate) });
}

/**
 * Takes the search that was handed to the links page. Empty if there is none.
 *
 * @param showsPrivate true if the page shows private data. Other pages do not receive private searches.
 */
export async function takeLinksSearch(showsPrivate: boolean): Promise<string> {
  return (await takeHandedOver(handedSearch, (search) => showsPrivate || !search.private))?.words ?? '';
}

/** Deletes a private search that no page has taken. */
export function forgetPrivateSearch(): Promise<void> {
  return handedSearch.forgetPrivate();
}

/** Request from a context menu, a shortcut or the address bar, handed to the popup that opens to show it. */
export interface PopupTarget extends HandedOver {
  /** Id of the request and of its link, unless `existing` names another link. */
  orderId: string;
  /** Undefined if the browser does not report it. */
  url: string | undefined;
  title: string;
  /** Tab that the user was in. Undefined if there was none, or the browser does not report it. */
  tabId?: number | undefined;
  /** Reason why the request was refused. */
  refusal?: RefusalCode | NotShortenable;
  /** Existing link of the URL. */
  existing?: { linkId: string; shortUrl: string };
}

export const popupTarget = new HandOver<PopupTarget>('popupTarget');

/** Opens a URL in a new tab. */
export async function openTab(url: string): Promise<void> {
  await browser.tabs.create({ url });
}

/**
 * Opens a URL in the last private window, or in a new one. Pages in ordinary windows use it for private links, which must
 * not appear in the browser's history.
 *
 * @throws if the browser opens no private window
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
