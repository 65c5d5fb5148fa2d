import browser, { type Menus, type Tabs } from '../platform/browser.ts';
import { t } from '../platform/strings.ts';

const WEB = ['http://*/*', 'https://*/*'];

/** What a right-click offers, each with its words in `_locales`. Other addresses than the web's are not offered. */
const ITEMS = [
  { id: 'shorten-link', title: 'menuLink', contexts: ['link'], targetUrlPatterns: WEB },
  { id: 'shorten-image', title: 'menuImage', contexts: ['image'], targetUrlPatterns: WEB },
  { id: 'shorten-media', title: 'menuMedia', contexts: ['video', 'audio'], targetUrlPatterns: WEB },
  { id: 'shorten-page', title: 'menuPage', contexts: ['page', 'frame', 'selection'], documentUrlPatterns: WEB },
] as const;

/**
 * Puts the items in place. At every start, not at installation alone: not every browser keeps them, and none tells.
 * One that is there already answers with an error that says so, and stays.
 */
export function createMenu(): void {
  for (const { title, contexts, ...item } of ITEMS) {
    const properties = { ...item, contexts: [...contexts], title: t(title) };
    // Not on Android: there are no context menus there.
    browser.contextMenus?.create(properties as Menus.CreateCreatePropertiesType, () => void browser.runtime.lastError);
  }
}

/** What was clicked, as something to shorten; null where the click names no address. */
export function chosenTarget(
  info: Menus.OnClickData,
  tab: Tabs.Tab | undefined,
): { url: string; title: string } | null {
  // In a frame, browsers differ over which page is meant: the person means the one they see.
  const page = tab?.url ?? info.pageUrl;
  const url = { 'shorten-link': info.linkUrl, 'shorten-page': page }[String(info.menuItemId)] ?? info.srcUrl;
  if (!url) return null;
  // A link's own words are the better title; Chrome does not tell them.
  const title = info.menuItemId === 'shorten-page' ? tab?.title : info.linkText;
  return { url, title: title ?? '' };
}
