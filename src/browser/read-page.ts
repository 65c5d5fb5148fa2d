import browser from './browser.ts';

/** Asks the user for permission to read pages. Must be called inside a click handler. */
export function requestScriptingPermission(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['scripting'] });
}

/** A link on a web page. `text` is its URL, and `title` is its link text. */
export interface PageLink {
  text: string;
  title: string;
}

/**
 * Returns the links in the user's text selection, in all frames of a tab. The browser grants access (`activeTab`)
 * when the user clicks the extension's button or menu item.
 *
 * @throws if the tab was closed or now shows a different page
 */
export async function readSelectedLinks(tabId: number): Promise<PageLink[]> {
  const results = await browser.scripting.executeScript({ target: { tabId, allFrames: true }, func: selectedLinks });
  return results.flatMap(({ result }) => (result as PageLink[] | null) ?? []);
}

/** The browser runs this function inside the web page, so it cannot use variables from this module. */
function selectedLinks(): PageLink[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return [];
  return [...document.links]
    .filter((link) => selection.containsNode(link, true))
    .map((link) => ({ text: link.href, title: link.textContent?.trim().slice(0, 200) ?? '' }));
}

export type CanonicalResult = { url: string } | 'none' | 'unreadable';

interface PageAddresses {
  page: string;
  named: string;
}

/**
 * Reads the canonical URL of the page in a tab. Must be called in a click handler, because the function requests the
 * `scripting` permission. The browser grants access to the tab (`activeTab`) when the user opens the popup.
 *
 * @param url the URL to shorten. The result is `unreadable` if the tab no longer shows this URL.
 */
export async function readCanonical(tabId: number | undefined, url: string): Promise<CanonicalResult> {
  try {
    // This call must come before any `await` in the click handler; otherwise the browser rejects the permission
    // request.
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

/**
 * Returns a URL without its fragment, user name and password. Two URLs that differ only in these parts identify the
 * same page.
 */
function documentOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

/** The browser runs this function inside the web page, so it cannot use variables from this module. */
function addressesOfPage(): PageAddresses {
  const named = document.querySelector<HTMLLinkElement>('link[rel~="canonical" i][href]')?.href ?? '';
  return { page: location.href, named };
}
