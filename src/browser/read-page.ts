import browser from './browser.ts';

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

/**
 * Returns the text that the user selected in a frame, with its line breaks. The browser's menu reports the selection
 * without line breaks, and Firefox cuts it after 16,384 characters. Returns `reported` if the browser refuses access to
 * the page, or if the selection has changed.
 *
 * @param reported selected text that the browser's menu reports
 */
export async function readSelectedText(tabId: number, frameId: number, reported: string): Promise<string> {
  const read = () => browser.scripting.executeScript({ target: { tabId, frameIds: [frameId] }, func: selectedTexts });
  // For a moment after the user's click, Chromium may not know yet that the extension may read the page.
  const readAgain = () => new Promise((resolve) => setTimeout(resolve, 100)).then(read).catch(() => []);
  const results = await read().catch(readAgain);
  const texts = (results[0]?.result as string[] | null | undefined) ?? [];
  return texts.find((text) => text !== '' && withoutSpaces(text).startsWith(withoutSpaces(reported))) ?? reported;
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}

/**
 * The browser runs this function inside the web page, so it cannot use variables from this module. Returns the selected
 * text of the focused text field and of the document, because Firefox has a separate selection for each.
 */
function selectedTexts(): string[] {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const { type, value, selectionStart, selectionEnd } = (focused ?? {}) as Partial<HTMLInputElement>;
  const isText = typeof value === 'string' && typeof selectionStart === 'number' && type !== 'password';
  const inField = isText ? value.slice(selectionStart, selectionEnd ?? selectionStart) : '';
  return [inField, getSelection()?.toString() ?? ''];
}
