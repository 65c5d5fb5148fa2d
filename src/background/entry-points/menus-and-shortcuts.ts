import { type FoundUrls, findUrls, findUrlsInField } from '@terse/contract/urls-in-text';
import type { Menus, Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { readSelectedText } from '../../browser/read-page.ts';
import { frontTab, mayBePrivate, pageTitle } from '../../browser/tabs.ts';
import { t } from '../../format/i18n.ts';
import { openLinksFor, openWithList } from '../../messages/open-page-with-data.ts';
import type { WorkerContext } from '../worker-context.ts';
import { refuse, shortenFromBrowser } from './shorten-from-browser.ts';

/*
 * Handles menu clicks, keyboard shortcuts and the address bar. A single URL is shortened immediately. Several URLs, or a
 * URL whose end is uncertain, are opened in the page for bulk shortening. Private windows have no lists.
 */

/** Handles a click on an item of the context menu. */
export async function onMenu(context: WorkerContext, info: Menus.OnClickData, tab?: Tabs.Tab): Promise<void> {
  const chosen = readMenuClick(info, tab);
  if (chosen === 'list') await openList(context, '', tab);
  else if ('text' in chosen) {
    const text = tab?.id ? await readSelectedText(tab.id, info.frameId ?? 0, chosen.text) : chosen.text;
    await shortenFound(context, findUrls(text), text, tab);
  } else await shortenFromBrowser(context, chosen, tab);
}

/** Handles a keyboard shortcut. */
export async function onCommand(context: WorkerContext, name: string, tab?: Tabs.Tab): Promise<void> {
  if (name === 'shorten-page')
    await shortenFromBrowser(context, { url: tab?.url ?? '', title: pageTitle(tab ?? {}) }, tab);
  if (name === 'open-list') await openList(context, '', tab);
}

/**
 * Handles the text that the user entered after the extension's keyword in the address bar. Shortens a URL; for any other
 * text, searches the links.
 */
export async function onAddressBar(context: WorkerContext, typed: string): Promise<void> {
  const text = typed.trim();
  const found = findUrlsInField(text);
  // Browsers do not report in which tab the user typed, so the active tab is used.
  const tab = await frontTab();
  if (found.urls.length > 0) await shortenFound(context, found, text, tab);
  // An error is shown for a URL that is not a web URL. Without this check, the URL would be used as a search query.
  else if (isOtherAddress(text)) await shortenFromBrowser(context, { url: text, title: '' }, tab);
  else await openLinksFor(text);
}

/** True if the text is a URL but not a web URL. Search terms such as `note: milk` and `data: mining` are not URLs. */
function isOtherAddress(text: string): boolean {
  return /^\s*(?:javascript|data|file|about|blob|mailto):\S|:\/\//i.test(text);
}

/**
 * Describes what the Enter key does after the extension's keyword in the address bar.
 *
 * @throws if Chrome has started the worker without translations, which it sometimes does after a reload
 */
export async function describeEnter(): Promise<void> {
  await browser.omnibox?.setDefaultSuggestion({ description: t('omniboxHint') });
}

/** Shortens the URL that was found in a text. If there are several or doubtful URLs, opens the bulk page for review. */
async function shortenFound(context: WorkerContext, { urls, isCertain }: FoundUrls, text: string, tab?: Tabs.Tab) {
  const [url, ...others] = urls;
  if (url !== undefined && (others.length > 0 || !isCertain)) await openList(context, text, tab);
  else if (url === undefined) await refuse(context, 'no_address', { url: '', title: text }, tab);
  else await shortenFromBrowser(context, { url, title: '' }, tab);
}

async function openList(context: WorkerContext, text: string, tab?: Tabs.Tab): Promise<void> {
  if (await mayBePrivate(tab)) await refuse(context, 'private_list', { url: '', title: '' }, tab);
  else await openWithList({ text, tabId: tab?.id ?? null });
}

const WEB = ['http://*/*', 'https://*/*'];

/**
 * Items of the context menu. Each title is the key of a message in `_locales`. The browser shows the page item on every
 * page, because no pattern matches Firefox's reader view or a frame without a URL (`srcdoc`). On a page that cannot be
 * shortened, as for an image without a web URL, a click on the item shows an error.
 */
const ITEMS = [
  { id: 'shorten-link', title: 'menuLink', contexts: ['link'], targetUrlPatterns: WEB },
  { id: 'shorten-selection', title: 'menuSelection', contexts: ['selection'] },
  { id: 'shorten-image', title: 'menuImage', contexts: ['image'] },
  { id: 'shorten-media', title: 'menuMedia', contexts: ['video', 'audio'] },
  { id: 'shorten-frame', title: 'menuFrame', contexts: ['frame'], documentUrlPatterns: WEB },
  { id: 'shorten-page', title: 'shortenPage', contexts: ['page', 'frame', 'selection'] },
  { id: 'shorten-tab', title: 'shortenPage', contexts: ['action', 'tab'] },
  { id: 'open-list', title: 'manyTitle', contexts: ['action'] },
] as const;

const MADE = 'menusMade';

/**
 * Creates the context menu items unless they already exist. A flag in session storage records that the items exist.
 * The browser deletes the flag when it starts and when the extension is installed or updated. Android has no context
 * menus.
 */
export async function createMenus(): Promise<void> {
  const { contextMenus, storage } = browser;
  if (!contextMenus) return;
  const { [MADE]: made } = await storage.session.get(MADE);
  if (made) return;
  // Menu items from the previous session may still exist, in another language or from an older version.
  await contextMenus.removeAll();
  // Some browsers have no tab menu. An unsupported context would prevent the whole menu item from being created.
  const known = Object.values((contextMenus as unknown as typeof chrome.contextMenus).ContextType) as string[];
  for (const { title, contexts, ...item } of ITEMS) {
    const properties = { ...item, contexts: contexts.filter((one) => known.includes(one)), title: t(title) };
    contextMenus.create(properties as Menus.CreateCreatePropertiesType, () => void browser.runtime.lastError);
  }
  await storage.session.set({ [MADE]: true });
}

/** Target of a menu click: a URL, the selected text, or the page for shortening several URLs (`list`). */
export type MenuClick = { url: string; title: string } | { text: string } | 'list';

/** Returns the target of a menu click. Its `url` is empty if the browser does not report a URL. */
export function readMenuClick(info: Menus.OnClickData, tab: Tabs.Tab | undefined): MenuClick {
  switch (info.menuItemId) {
    case 'open-list':
      return 'list';
    case 'shorten-selection':
      return { text: info.selectionText ?? '' };
    case 'shorten-link':
      // The link's text is the best title, but Chrome does not report it.
      return { url: info.linkUrl ?? '', title: info.linkText ?? '' };
    case 'shorten-frame':
      return { url: info.frameUrl ?? '', title: '' };
    case 'shorten-image':
    case 'shorten-media':
      return { url: info.srcUrl ?? '', title: '' };
    default:
      // After a click inside a frame, some browsers set `pageUrl` to the frame's URL, so the URL of the tab is
      // preferred.
      return { url: tab?.url ?? info.pageUrl ?? '', title: pageTitle(tab ?? {}) };
  }
}
