import { findUrlsInField } from '@terse/contract/urls-in-text';
import browser from '../../browser/browser.ts';
import { frontTab } from '../../browser/tabs.ts';
import { t } from '../../format/i18n.ts';
import { openLinksFor } from '../../messages/open-page-with-data.ts';
import type { EntryPoints } from './menus-and-shortcuts.ts';
import type { BrowserShortener } from './shorten-from-browser.ts';

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

/**
 * Handles the text that the user entered after the extension's keyword in the address bar. Shortens a URL; for any other
 * text, searches the links.
 */
export async function enterInAddressBar(
  typed: string,
  shortener: BrowserShortener,
  entryPoints: EntryPoints,
): Promise<void> {
  const text = typed.trim();
  const found = findUrlsInField(text);
  // Browsers do not report in which tab the user typed, so the active tab is used.
  const tab = await frontTab();
  if (found.urls.length > 0) await entryPoints.found(found, text, tab);
  // For a URL that is not a web URL, `shorten` shows an error. Without this check, the URL would be used as a search
  // query.
  else if (isOtherAddress(text)) await shortener.shorten({ url: text, title: '' }, tab);
  else await openLinksFor(text);
}
