import browser from '../platform/browser.ts';
import type { Found } from './entries.ts';

/** Whether the person lets Terse read a page when they ask for it. Called inside their click. */
export function askForScripting(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['scripting'] });
}

/**
 * Every link of what is selected on the page of a tab, in each of its frames. The click that named the tab has opened it to
 * the extension (`activeTab`) until it shows another page.
 *
 * @throws where the tab shows another page by now, or is closed
 */
export async function linksOfSelection(tabId: number): Promise<Found[]> {
  const results = await browser.scripting.executeScript({ target: { tabId, allFrames: true }, func: selectedLinks });
  return results.flatMap(({ result }) => (result as Found[] | null) ?? []);
}

/** Runs in the page: it may use nothing but what is in it. */
function selectedLinks(): { text: string; title: string }[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return [];
  return [...document.links]
    .filter((link) => selection.containsNode(link, true))
    .map((link) => ({ text: link.href, title: link.textContent?.trim().slice(0, 200) ?? '' }));
}
