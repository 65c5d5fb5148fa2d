import browser from '../platform/browser.ts';
import { type Handed, HandOver, takeHandedOver } from './hand-over.ts';
import { pageAddress } from './private-page.ts';

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
export const LONGEST_TEXT = 500_000;

const list = new HandOver<HandedList & Handed>('handedList');

/** Opens the page for many addresses at once with a list. In memory alone on the way: it may be private. */
export async function openWithList(handed: HandedList): Promise<void> {
  const isTooLong = handed.text.length > LONGEST_TEXT;
  await list.give({ ...handed, ...(isTooLong && { text: '', isTooLong }), at: Date.now() });
  // In its address too, which outlives being loaded again: the page may be in no private window itself.
  await browser.tabs.create({ url: pageAddress('many', handed.private) });
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
