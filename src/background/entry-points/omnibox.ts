import { readableUrl } from '@terse/contract/readable-host';
import { foldForSearch, searchableUrl } from '@terse/contract/search-text';
import { findUrlsInField } from '@terse/contract/urls-in-text';
import browser from '../../browser/browser.ts';
import { frontTab } from '../../browser/tabs.ts';
import { displayText } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { openLinksFor } from '../../messages/open-page-with-data.ts';
import { isLive } from '../../queue/accept.ts';
import type { Link } from '../../queue/types.ts';
import { readLinks } from '../../storage/load-page-data.ts';
import type { EntryPoints } from './menus-and-shortcuts.ts';
import type { BrowserShortener } from './shorten-from-browser.ts';

export interface Suggestion {
  /** Text that replaces the user's input when the user chooses this suggestion. */
  content: string;
  description: string;
}

/** Maximum number of suggestions that browsers show below the address bar. */
const MAX_SUGGESTIONS = 6;

/** True if the text is a URL but not a web URL. Search terms such as `note: milk` and `data: mining` are not URLs. */
function isOtherAddress(text: string): boolean {
  return /^\s*(?:javascript|data|file|about|blob|mailto):\S|:\/\//i.test(text);
}

/**
 * Describes what the Enter key does. The description must be true for every input, because both browsers may show it
 * for later inputs too. Chrome itself replaces `%s` with the typed text; Firefox does not.
 *
 * @throws if Chrome has started the worker without translations, which it sometimes does after a reload
 */
export async function describeEnter(): Promise<void> {
  const description = isXml() ? escaped(t('omniboxEnter', '%s')) : t('omniboxHint');
  await browser.omnibox?.setDefaultSuggestion({ description });
}

/**
 * Returns suggestions for the first links that contain every word of the text in their title, URL or short URL.
 * Ignores case.
 */
export function suggestionsFor(text: string, links: Link[]): Suggestion[] {
  const words = foldForSearch(text).match(/\S+/g);
  const isFound = ({ shortUrl, title, url }: Link) => {
    const searched = foldForSearch(`${title} ${searchableUrl(url)} ${searchableUrl(shortUrl)}`);
    return words?.every((word) => searched.includes(word));
  };
  const found = links.values().filter(isFound).take(MAX_SUGGESTIONS);
  return [...found].map(({ shortUrl, title, url }) => ({
    content: readableUrl(shortUrl),
    description: described(readableUrl(shortUrl), displayText(title || readableUrl(url))),
  }));
}

/** True if the browser parses the descriptions of suggestions as XML. Chrome does; Firefox does not. */
function isXml(): boolean {
  return browser.runtime.getURL('/').startsWith('chrome-');
}

function described(shortUrl: string, title: string): string {
  return isXml() ? `<url>${escaped(shortUrl)}</url> <dim>${escaped(title)}</dim>` : `${shortUrl} · ${title}`;
}

/** Escapes text for XML. Removes control characters and lone surrogates, because XML does not allow them. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`);
}

export interface OmniboxDependencies {
  shortener: BrowserShortener;
  entryPoints: EntryPoints;
  now: () => number;
}

/**
 * Handles the text that the user types after the extension's keyword in the address bar. Shortens a URL; for any
 * other text, searches the links.
 */
export class Omnibox {
  readonly #dependencies: OmniboxDependencies;
  /** Cached links for the search. Without the cache, every keystroke would read the links again. */
  #read: Promise<Link[]> | null = null;

  constructor(dependencies: OmniboxDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Updates the suggestions each time the user changes the text.
   *
   * @param suggest displays suggestions below the address bar
   */
  async changed(text: string, suggest: (suggestions: Suggestion[]) => void): Promise<void> {
    suggest(suggestionsFor(text, await this.#known()));
  }

  /** Handles the Enter key, for the typed text or for the chosen suggestion. */
  async entered(typed: string): Promise<void> {
    const text = typed.trim();
    const found = findUrlsInField(text);
    const { shortener, entryPoints } = this.#dependencies;
    // Browsers do not report in which tab the user typed, so the active tab is used.
    const tab = await frontTab();
    const known = (await this.#known()).find(({ shortUrl }) => [shortUrl, readableUrl(shortUrl)].includes(text));
    this.ended();
    if (known) await shortener.copyExisting(known, tab);
    else if (found.urls.length > 0) await entryPoints.found(found, text, tab);
    // For a URL that is not a web URL, `shorten` shows an error. Without this check, the URL would be used as a
    // search query.
    else if (isOtherAddress(text)) await shortener.shorten({ url: text, title: '' }, tab);
    else await openLinksFor(text);
  }

  ended(): void {
    this.#read = null;
  }

  async #known(): Promise<Link[]> {
    // If the links cannot be read, there are no suggestions. The user sees the error only when shortening a URL.
    this.#read ??= readLinks().catch(() => []);
    const now = this.#dependencies.now();
    return (await this.#read).filter((link) => isLive(link, now));
  }
}
