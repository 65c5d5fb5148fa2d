import type { Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { displayText } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { openLinksFor } from '../../messages/open-page.ts';
import { isLive } from '../../queue/accept-requests.ts';
import type { Link } from '../../queue/types.ts';
import { findUrlsInText } from '../../urls/find-urls-in-text.ts';
import { frontTab, mayBePrivate } from '../private-windows.ts';
import type { EntryPoints } from './keyboard-shortcuts.ts';
import type { BrowserShortener } from './shorten-from-browser.ts';

/** What the address bar lists. */
export interface Suggestion {
  /** What it comes to when it is chosen. */
  content: string;
  description: string;
}

/** No browser lists more. */
const MOST = 6;

/** Whether a text is an address that is none of the web; `note: milk` and `data: mining` are words, and may be looked for. */
export function isOtherAddress(text: string): boolean {
  return /^\s*(?:javascript|data|file|about|blob|mailto):\S|:\/\//i.test(text);
}

/**
 * Describes the effect of Enter on the text after the keyword. Firefox shows a description only at the next key press, so there
 * the description is constant.
 */
export function enterDescription(text: string): string {
  if (!isXml()) return t('omniboxHint');
  const [url, another] = findUrlsInText(text);
  if (another) return escaped(t('omniboxList'));
  if (url) return escaped(t('omniboxShorten', url));
  if (isOtherAddress(text)) return escaped(t('refusal_not_shortenable'));
  const words = displayText(text);
  return escaped(words ? t('omniboxSearch', words) : t('omniboxHint'));
}

/** The links that hold every word in their title, URL or short URL, whatever the case: the first few of them. */
export function suggestionsFor(text: string, links: Link[]): Suggestion[] {
  const words = text.toLocaleLowerCase().match(/\S+/g);
  const isFound = ({ shortUrl, title, url }: Link) => {
    const searched = `${title} ${url} ${shortUrl}`.toLocaleLowerCase();
    return words?.every((word) => searched.includes(word));
  };
  const found = links.values().filter(isFound).take(MOST);
  return [...found].map(({ shortUrl, title, url }) => ({
    content: shortUrl,
    description: described(shortUrl, displayText(title || url)),
  }));
}

/** Chrome reads a description as XML, Firefox as it stands. */
function isXml(): boolean {
  return browser.runtime.getURL('/').startsWith('chrome-');
}

function described(shortUrl: string, title: string): string {
  return isXml() ? `<url>${escaped(shortUrl)}</url> <dim>${escaped(title)}</dim>` : `${shortUrl} · ${title}`;
}

/** XML has no room for control characters and halves of characters, escaped or not. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`);
}

export interface OmniboxDependencies {
  order: BrowserShortener;
  waysIn: EntryPoints;
  /** Every link that may be shown, the newest first. */
  links: (isPrivate: boolean) => Promise<Link[]>;
  now: () => number;
}

/** The address bar after the extension's keyword: an address is shortened, words are looked for in the history. */
export class Omnibox {
  readonly #dependencies: OmniboxDependencies;
  /** Read once for all that is typed in one go, and for one kind of window: browsers do not always say that it has ended. */
  #read: { isPrivate: boolean; links: Promise<Link[]> } | null = null;

  constructor(dependencies: OmniboxDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param suggest takes what is listed below what was typed */
  async changed(text: string, suggest: (suggestions: Suggestion[]) => void): Promise<void> {
    void browser.omnibox.setDefaultSuggestion({ description: enterDescription(text) });
    suggest(suggestionsFor(text, await this.#known(await frontTab())));
  }

  /** The person chose what Enter does with the text, or a link of those listed. */
  async entered(typed: string): Promise<void> {
    const text = typed.trim();
    const { order, waysIn } = this.#dependencies;
    // The tab below the address bar that is typed in: no browser names it.
    const tab = await frontTab();
    const known = (await this.#known(tab)).find(({ shortUrl }) => shortUrl === text);
    this.ended();
    if (known) await order.give(known, tab);
    else if (findUrlsInText(text)[0]) await waysIn.text(text, tab);
    // An address of another kind is none to look for: it is refused with the reason.
    else if (isOtherAddress(text)) await order.place({ url: text, title: '' }, tab);
    else await openLinksFor(text, await mayBePrivate(tab));
  }

  /** Nothing is typed any more. */
  ended(): void {
    this.#read = null;
  }

  async #known(tab: Tabs.Tab | undefined): Promise<Link[]> {
    const isPrivate = await mayBePrivate(tab);
    if (this.#read?.isPrivate !== isPrivate) {
      // Without the history an address can still be ordered, which is where the person is told.
      this.#read = { isPrivate, links: this.#dependencies.links(isPrivate).catch(() => []) };
    }
    const now = this.#dependencies.now();
    return (await this.#read.links).filter((link) => isLive(link, now));
  }
}
