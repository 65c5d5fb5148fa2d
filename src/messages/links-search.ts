import browser from '../platform/browser.ts';
import { type Handed, HandOver, takeHandedOver } from './hand-over.ts';
import { pageAddress } from './private-page.ts';

const handed = new HandOver<Handed & { words: string }>('linksSearch');

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
