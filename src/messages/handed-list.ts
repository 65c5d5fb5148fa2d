import browser from '../platform/browser.ts';

/** What a menu or a shortcut hands to the page for many addresses at once, which opens to show it. */
export interface HandedList {
  /** Selected text, or a list of any form: the page finds the addresses in it. */
  text: string;
  /** The tab that it comes from: the page reads the links of its selection where the browser lets it. Null: none. */
  tabId: number | null;
  private: boolean;
}

const KEY = 'handedList';
const PAGE = 'src/many/index.html';

/** Opens the page for many addresses at once with a list. In memory alone on the way: it may be private. */
export async function openWithList(list: HandedList): Promise<void> {
  await browser.storage.session.set({ [KEY]: list });
  await browser.tabs.create({ url: browser.runtime.getURL(PAGE) });
}

/** Takes what was handed over: a page that is loaded again does not get it twice. Null where there is nothing. */
export async function takeHandedList(): Promise<HandedList | null> {
  const { [KEY]: record } = await browser.storage.session.get(KEY);
  if (record === undefined) return null;
  await browser.storage.session.remove(KEY);
  return record as HandedList;
}

/** Forgets what was handed over of a private window, where no page has taken it. */
export async function forgetPrivateList(): Promise<void> {
  const { [KEY]: record } = await browser.storage.session.get(KEY);
  if ((record as HandedList | undefined)?.private) await browser.storage.session.remove(KEY);
}
