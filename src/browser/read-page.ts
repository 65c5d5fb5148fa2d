import browser from './browser.ts';

/** Asks the user for permission to read pages. Must be called inside a click handler. */
export function requestScriptingPermission(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['scripting'] });
}

/** A link on a page: its URL and the text that the page shows for it. */
export interface PageLink {
  text: string;
  title: string;
}

/**
 * Returns the links in the selection of a tab, in all its frames. The click on the extension granted `activeTab` for the page.
 *
 * @throws if the tab was closed or shows another page
 */
export async function readSelectedLinks(tabId: number): Promise<PageLink[]> {
  const results = await browser.scripting.executeScript({ target: { tabId, allFrames: true }, func: selectedLinks });
  return results.flatMap(({ result }) => (result as PageLink[] | null) ?? []);
}

/** Runs in the page, so it cannot use anything outside this function. */
function selectedLinks(): PageLink[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return [];
  return [...document.links]
    .filter((link) => selection.containsNode(link, true))
    .map((link) => ({ text: link.href, title: link.textContent?.trim().slice(0, 200) ?? '' }));
}

/** Canonical URL of a page; `unreadable` if the browser does not let the extension read the page. */
export type CanonicalResult = { url: string } | 'none' | 'unreadable';

/** URL of a page, and its canonical URL; empty if it has none. */
interface PageAddresses {
  page: string;
  named: string;
}

/**
 * Reads the canonical URL of a tab's page. Opening the popup granted `activeTab`; the permission `scripting` is requested
 * here, so this must be called in a click handler.
 *
 * @param url the URL to shorten. If the tab shows another page by now, the result is `unreadable`.
 */
export async function readCanonical(tabId: number | undefined, url: string): Promise<CanonicalResult> {
  try {
    // Must be the first await, or the browser refuses the request.
    const granted = await browser.permissions.request({ permissions: ['scripting'] });
    if (!granted || tabId === undefined) return 'unreadable';
    const [answer] = await browser.scripting.executeScript({ target: { tabId }, func: addressesOfPage });
    const addresses = answer?.result as PageAddresses | undefined;
    if (!addresses || documentOf(addresses.page) !== documentOf(url)) return 'unreadable';
    return addresses.named === '' ? 'none' : { url: addresses.named };
  } catch {
    return 'unreadable';
  }
}

/** Returns a URL without fragment and user info, which do not change the page. */
function documentOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

/** Runs in the page, so it cannot use anything outside this function. */
function addressesOfPage(): PageAddresses {
  const named = document.querySelector<HTMLLinkElement>('link[rel~="canonical" i][href]')?.href ?? '';
  return { page: location.href, named };
}
