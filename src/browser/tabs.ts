import type { Tabs } from './browser.ts';
import browser from './browser.ts';

export async function frontTab(): Promise<Tabs.Tab | undefined> {
  const tabs = await browser.tabs.query({ active: true, lastFocusedWindow: true }).catch(() => []);
  return tabs[0];
}

/** Returns a tab's title. Empty if its page has none: browsers then report the URL, usually without its scheme. */
export function pageTitle({ title = '', url = '' }: Pick<Tabs.Tab, 'title' | 'url'>): string {
  const own = decodedUrl(url);
  const isUrl = [title, `${URL.parse(url)?.protocol}//${title}`].some((text) => decodedUrl(text) === own);
  return own !== null && isUrl ? '' : title;
}

/** Returns a URL without percent-encoding. Null if the text is not a valid URL. */
function decodedUrl(text: string): string | null {
  try {
    return decodeURIComponent(new URL(text).href);
  } catch {
    return null;
  }
}

/**
 * True if the tab is private. If the browser does not report this, the function checks for open private windows. If
 * this check fails, the function returns true.
 */
export async function mayBePrivate(tab?: Tabs.Tab): Promise<boolean> {
  return tab?.incognito ?? isPrivateWindowOpen().catch(() => true);
}

/** True if a private window is open. On Android, which has no windows, true if a private tab is open. */
async function isPrivateWindowOpen(): Promise<boolean> {
  const open = browser.windows ? await browser.windows.getAll() : await browser.tabs.query({});
  return open.some(({ incognito }) => incognito);
}

/** Calls `closed` when no private window is open any more. Returns a function that stops watching. */
export function onLastPrivateWindowClosed(closed: () => void): () => void {
  const { onRemoved } = browser.windows ?? browser.tabs;
  const check = () =>
    void isPrivateWindowOpen()
      .catch(() => false)
      .then((isOpen) => !isOpen && closed());
  onRemoved.addListener(check);
  return () => onRemoved.removeListener(check);
}
