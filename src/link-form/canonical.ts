import browser from '../platform/browser.ts';

/** What a page was found to call itself; `unreadable`: the browser does not let it be read. */
export type Canonical = { url: string } | 'none' | 'unreadable';

/**
 * Asks the page of a tab for the address that it calls its own. The page is read once, because the person pressed a button:
 * opening the popup over it granted `activeTab`, and `scripting` is asked for here, in the click.
 */
export async function readCanonical(tabId: number | undefined): Promise<Canonical> {
  try {
    // Before any other await: after one the browser no longer takes it for the person's.
    const granted = await browser.permissions.request({ permissions: ['scripting'] });
    if (!granted || tabId === undefined) return 'unreadable';
    const [answer] = await browser.scripting.executeScript({ target: { tabId }, func: canonicalHref });
    const url = typeof answer?.result === 'string' ? answer.result : '';
    return url === '' ? 'none' : { url };
  } catch {
    return 'unreadable';
  }
}

/** Runs in the page, and can reach nothing outside itself. */
function canonicalHref(): string {
  return document.querySelector<HTMLLinkElement>('link[rel~="canonical" i][href]')?.href ?? '';
}
