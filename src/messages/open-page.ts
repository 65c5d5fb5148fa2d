import browser from '../browser/browser.ts';
import type { NotShortenable } from '../urls/shortenable-url.ts';
import type { RefusalCode } from './protocol.ts';

/** What is handed to a page that opens at once. */
export interface HandedOver {
  private: boolean;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * A page opens at once or not at all, however slow the computer: one that opens later than this was opened by the person, for
 * something else.
 */
const FRESH_MS = 60_000;

/**
 * Hands one thing from the background or a page to the page that is opened next, or to one that is open. In memory alone:
 * it may be private.
 */
export class HandOver<T extends HandedOver> {
  /** Of `storage.session`, its own. */
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  async give(handed: T): Promise<void> {
    await browser.storage.session.set({ [this.key]: handed });
  }

  /** Forgets what was handed over about a private window, where no page has taken it. */
  async forgetPrivate(): Promise<void> {
    if ((await read(this))?.private) await browser.storage.session.remove(this.key);
  }
}

/*
 * What pages do with it. The background only gives, and carries none of this.
 */

/**
 * Takes what was handed over: a second page does not see it again. Null where there is nothing, or it is old.
 *
 * @param isForPage whether this page is to show it; what another page is to show is left to that
 */
export async function takeHandedOver<T extends HandedOver>(
  handOver: HandOver<T>,
  isForPage: (handed: T) => boolean | Promise<boolean>,
  now = Date.now(),
): Promise<T | null> {
  const handed = await read(handOver);
  if (!handed) return null;
  const isFresh = Math.abs(now - handed.at) <= FRESH_MS;
  if (isFresh && !(await isForPage(handed))) return null;
  await browser.storage.session.remove(handOver.key);
  return isFresh ? handed : null;
}

/** Calls back when something is handed over while the page is open. Returns how to stop. */
export function watchHandedOver({ key }: { key: string }, handed: () => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'session' && changes[key]?.newValue !== undefined) handed();
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}

async function read<T extends HandedOver>({ key }: HandOver<T>): Promise<T | undefined> {
  const { [key]: record } = await browser.storage.session.get(key);
  return record as T | undefined;
}

/*
 * Pages that are opened from a private window. Chromium opens them in an ordinary one, and does not tell them where they
 * come from, so their addresses do.
 */

/** The parameter of their addresses, whatever its value. */
export const PRIVATE = 'private';

/** The address of a page, such as `many` with `group=1`. `isPrivate`: it shows what belongs to private windows too. */
export function pageAddress(
  page: 'popup' | 'options' | 'links' | 'bulk' | 'queue' | 'welcome',
  isPrivate: boolean,
  query = '',
): string {
  const asked = [query, isPrivate ? PRIVATE : ''].filter(Boolean).join('&');
  return browser.runtime.getURL(`src/pages/${page}/index.html${asked && `?${asked}`}`);
}

/** Whether this page shows what belongs to private windows. */
export function isPrivatePage(): boolean {
  return new URLSearchParams(location.search).has(PRIVATE) || (browser.extension.inIncognitoContext ?? false);
}

/** What a menu, a shortcut or a paste hands to the page for many addresses at once, which opens to show it. */
export interface HandedList {
  /** Selected text, or a list of any form: the page finds the addresses in it. */
  text: string;
  /** The tab that it comes from: the page reads the links of its selection where the browser lets it. Null: none. */
  tabId: number | null;
  private: boolean;
  /** There was more text than can be handed over: the person is told, and none of it is. */
  isTooLong?: true;
}

/** In UTF-16 units: some way below the 10 MB that browsers keep in memory, of which private windows need a part. */
export const MAX_TEXT_LENGTH = 500_000;

const list = new HandOver<HandedList & HandedOver>('handedList');

/** Opens the page for many addresses at once with a list. In memory alone on the way: it may be private. */
export async function openWithList(handed: HandedList): Promise<void> {
  const isTooLong = handed.text.length > MAX_TEXT_LENGTH;
  await list.give({ ...handed, ...(isTooLong && { text: '', isTooLong }), at: Date.now() });
  // In its address too, which outlives being loaded again: the page may be in no private window itself.
  await browser.tabs.create({ url: pageAddress('bulk', handed.private) });
}

/**
 * Takes what was handed over: a page that is loaded again does not get it twice. Null where there is nothing.
 *
 * @param showsPrivate whether the page shows what belongs to private windows: no other gets a private list
 */
export function takeHandedList(showsPrivate: boolean): Promise<HandedList | null> {
  return takeHandedOver(list, (handed) => showsPrivate || !handed.private);
}

/** Forgets what was handed over of a private window, where no page has taken it. */
export function forgetPrivateList(): Promise<void> {
  return list.forgetPrivate();
}

const handed = new HandOver<HandedOver & { words: string }>('linksSearch');

/** Opens the links page on what these words find. In memory alone on the way, not in an address: they may be private. */
export async function openLinksFor(words: string, isPrivate: boolean): Promise<void> {
  await handed.give({ words, private: isPrivate, at: Date.now() });
  await browser.tabs.create({ url: pageAddress('links', isPrivate) });
}

/**
 * What the links page is opened to look for; empty where that is nothing.
 *
 * @param showsPrivate whether the page shows what belongs to private windows: no other gets private words
 */
export async function takeLinksSearch(showsPrivate: boolean): Promise<string> {
  return (await takeHandedOver(handed, (search) => showsPrivate || !search.private))?.words ?? '';
}

/** Forgets what was looked for in a private window, where no page has taken it. */
export function forgetPrivateSearch(): Promise<void> {
  return handed.forgetPrivate();
}

/** What a context menu, a shortcut or the address bar has just asked for, handed to the popup that opens to show it. */
export interface PopupTarget extends HandedOver {
  /** The order's id: the request's, and its link's, unless `existing` names another. */
  orderId: string;
  /** As the browser named it; undefined where it does not tell. */
  url: string | undefined;
  title: string;
  /** The tab in front that it was asked for in. Undefined: it was asked for elsewhere, or the browser does not tell. */
  tabId?: number | undefined;
  /** Why nothing was accepted. */
  refusal?: RefusalCode | NotShortenable;
  /** The link that was there already. */
  existing?: { linkId: string; shortUrl: string };
}

export const popupTarget = new HandOver<PopupTarget>('popupTarget');

/** Opens an address in a new tab. */
export async function openTab(url: string): Promise<void> {
  await browser.tabs.create({ url });
}

/**
 * Opens an address in a private window, the last one or a new one, from a page in an ordinary window: the history must not record it.
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
