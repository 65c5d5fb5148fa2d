import browser from '../platform/browser.ts';
import { t } from '../platform/strings.ts';
import { shownText } from '../platform/text.ts';
import type { Link } from '../queue/types.ts';
import { addressesIn } from '../target/addresses-in-text.ts';

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
  const [url, another] = addressesIn(text);
  if (another) return escaped(t('omniboxList'));
  if (url) return escaped(t('omniboxShorten', url));
  if (isOtherAddress(text)) return escaped(t('refusal_not_shortenable'));
  const words = shownText(text);
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
    description: described(shortUrl, shownText(title || url)),
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
