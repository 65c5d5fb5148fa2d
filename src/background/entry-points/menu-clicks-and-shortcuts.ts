import { type FoundUrls, findUrls } from '@terse/contract/urls-in-text';
import type { Menus, Tabs } from '../../browser/browser.ts';
import { readSelectedText } from '../../browser/read-page.ts';
import { mayBePrivate } from '../../browser/tabs.ts';
import { openWithList } from '../../messages/open-page-with-data.ts';
import { readMenuClick } from './context-menu.ts';
import type { BrowserShortener } from './shorten-from-browser.ts';

/**
 * Handles menu clicks, keyboard shortcuts and text that contains URLs. A single URL is shortened immediately. Several
 * URLs, or a URL whose end is uncertain, are opened in the page for bulk shortening. Private windows have no lists.
 */
export class EntryPoints {
  readonly #shortener: BrowserShortener;

  constructor(shortener: BrowserShortener) {
    this.#shortener = shortener;
  }

  async menu(info: Menus.OnClickData, tab?: Tabs.Tab): Promise<void> {
    const chosen = readMenuClick(info, tab);
    if (chosen === 'list') await this.#list('', tab);
    else if ('text' in chosen) {
      const text = await wholeSelection(chosen.text, info, tab);
      await this.found(findUrls(text), text, tab);
    } else await this.#shortener.shorten(chosen, tab);
  }

  async command(name: string, tab?: Tabs.Tab): Promise<void> {
    if (name === 'shorten-page') await this.#shortener.shorten({ url: tab?.url ?? '', title: tab?.title ?? '' }, tab);
    if (name === 'open-list') await this.#list('', tab);
  }

  /** Shortens the URL that was found in a text. If there are several or doubtful URLs, opens the bulk page for review. */
  async found({ urls, isCertain }: FoundUrls, text: string, tab?: Tabs.Tab): Promise<void> {
    const [url, ...others] = urls;
    if (url !== undefined && (others.length > 0 || !isCertain)) await this.#list(text, tab);
    else if (url === undefined) await this.#shortener.refuse('no_address', { url: '', title: text }, tab);
    else await this.#shortener.shorten({ url, title: '' }, tab);
  }

  async #list(text: string, tab?: Tabs.Tab): Promise<void> {
    if (await mayBePrivate(tab)) await this.#shortener.refuse('private_list', { url: '', title: '' }, tab);
    else await openWithList({ text, tabId: tab?.id ?? null });
  }
}

async function wholeSelection(reported: string, info: Menus.OnClickData, tab?: Tabs.Tab): Promise<string> {
  return tab?.id === undefined ? reported : readSelectedText(tab.id, info.frameId ?? 0, reported);
}
