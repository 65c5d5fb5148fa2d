import type { Menus, Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { t } from '../../format/i18n.ts';

const WEB = ['http://*/*', 'https://*/*'];

/**
 * What a right-click offers, each with its words in `_locales`. A picture or a frame without an address of the web looks
 * like any other: it is offered too, and refused with the reason.
 */
const ITEMS = [
  { id: 'shorten-link', title: 'menuLink', contexts: ['link'], targetUrlPatterns: WEB },
  { id: 'shorten-selection', title: 'menuSelection', contexts: ['selection'] },
  { id: 'shorten-image', title: 'menuImage', contexts: ['image'] },
  { id: 'shorten-media', title: 'menuMedia', contexts: ['video', 'audio'] },
  { id: 'shorten-frame', title: 'menuFrame', contexts: ['frame'] },
  { id: 'shorten-page', title: 'shortenPage', contexts: ['page', 'frame', 'selection'], documentUrlPatterns: WEB },
  { id: 'shorten-tab', title: 'shortenPage', contexts: ['action', 'tab'] },
  { id: 'open-list', title: 'commandOpenList', contexts: ['action'] },
] as const;

const MADE = 'menusMade';

/**
 * Makes the items once a session of the browser: what remembers that they are made is empty after an installation, an
 * update and a start of the browser, and no browser tells of all of these. None are made where there are no menus, as
 * on Android.
 */
export async function createMenus(): Promise<void> {
  const { contextMenus, storage } = browser;
  if (!contextMenus) return;
  const { [MADE]: made } = await storage.session.get(MADE);
  if (made) return;
  // Those of the session before may be there still, in the words of another language or version.
  await contextMenus.removeAll();
  // Not every version has the menu of the tab strip, and one unknown name makes the whole item fail.
  const known = Object.values((contextMenus as unknown as typeof chrome.contextMenus).ContextType) as string[];
  for (const { title, contexts, ...item } of ITEMS) {
    const properties = { ...item, contexts: contexts.filter((one) => known.includes(one)), title: t(title) };
    contextMenus.create(properties as Menus.CreateCreatePropertiesType, () => void browser.runtime.lastError);
  }
  await storage.session.set({ [MADE]: true });
}

/** What was clicked: an address, a text that may hold several, or the item that opens the page for a list. */
export type MenuClick = { url: string; title: string } | { text: string } | 'list';

/** @returns an empty `url` where the click names none */
export function readMenuClick(info: Menus.OnClickData, tab: Tabs.Tab | undefined): MenuClick {
  switch (info.menuItemId) {
    case 'open-list':
      return 'list';
    case 'shorten-selection':
      return { text: info.selectionText ?? '' };
    case 'shorten-link':
      // A link's own words are the better title; Chrome does not tell them.
      return { url: info.linkUrl ?? '', title: info.linkText ?? '' };
    case 'shorten-frame':
      return { url: info.frameUrl ?? '', title: '' };
    case 'shorten-image':
    case 'shorten-media':
      return { url: info.srcUrl ?? '', title: '' };
    default:
      // In a frame, browsers differ over which page is meant: the person means the one they see.
      return { url: tab?.url ?? info.pageUrl ?? '', title: tab?.title ?? '' };
  }
}
