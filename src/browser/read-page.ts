import browser from './browser.ts';

/** Whether the person lets Terse read a page when they ask for it. Called inside their click. */
export function requestScriptingPermission(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['scripting'] });
}

/** A link on a page: its URL and the text that the page shows for it. */
export interface PageLink {
  text: string;
  title: string;
}

/**
 * Every link of what is selected on the page of a tab, in each of its frames. The click that named the tab has opened it to
 * the extension (`activeTab`) until it shows another page.
 *
 * @throws where the tab shows another page by now, or is closed
 */
export async function readSelectedLinks(tabId: number): Promise<PageLink[]> {
  const results = await browser.scripting.executeScript({ target: { tabId, allFrames: true }, func: selectedLinks });
  return results.flatMap(({ result }) => (result as PageLink[] | null) ?? []);
}

/** Runs in the page: it may use nothing but what is in it. */
function selectedLinks(): PageLink[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return [];
  return [...document.links]
    .filter((link) => selection.containsNode(link, true))
    .map((link) => ({ text: link.href, title: link.textContent?.trim().slice(0, 200) ?? '' }));
}

/** What a page was found to call itself; `unreadable`: the browser does not let it be read. */
export type CanonicalResult = { url: string } | 'none' | 'unreadable';

/** What the page itself says: where it stands, and what it calls itself, empty where it does not. */
interface PageAddresses {
  page: string;
  named: string;
}

/**
 * Asks the page of a tab for the address that it calls its own. The page is read once, because the person pressed a button:
 * opening the popup over it granted `activeTab`, and `scripting` is asked for here, in the click.
 *
 * @param url the address that is being shortened: the tab may show another page of its site by now, whose own address is no
 *   answer
 */
export async function readCanonical(tabId: number | undefined, url: string): Promise<CanonicalResult> {
  try {
    // Before any other await: after one the browser no longer takes it for the person's.
    const granted = await browser.permissions.request({ permissions: ['scripting'] });
    if (!granted || tabId === undefined) return 'unreadable';
    const [answer] = await browser.scripting.executeScript({ target: { tabId }, func: addressesOfPage });
    const found = answer?.result as PageAddresses | undefined;
    if (!found || documentOf(found.page) !== documentOf(url)) return 'unreadable';
    return found.named === '' ? 'none' : { url: found.named };
  } catch {
    return 'unreadable';
  }
}

/** An address without its fragment and its user info: the page is the same with and without them. */
function documentOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

/** Runs in the page, and can reach nothing outside itself. */
function addressesOfPage(): PageAddresses {
  const named = document.querySelector<HTMLLinkElement>('link[rel~="canonical" i][href]')?.href ?? '';
  return { page: location.href, named };
}
