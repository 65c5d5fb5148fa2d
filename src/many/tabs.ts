import browser, { type Tabs } from '../platform/browser.ts';
import type { Found } from './entries.ts';

/*
 * Addresses of open tabs. The browser tells them only to whom the person has allowed it, and is asked to when they want it,
 * in their click: before any `await`.
 */

/** Whether the person lets the browser tell the addresses of tabs. Called inside their click. */
export function askForTabs(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['tabs'] });
}

/** Gives the permission back, so that Terse can read no tabs later. One that an administrator granted stays. */
export async function giveBackTabs(): Promise<void> {
  await browser.permissions.remove({ permissions: ['tabs'] }).catch(() => undefined);
}

/**
 * The tabs of the window that the list is made in, but for the extension's own pages. That is the window of this page, unless
 * Chromium has opened it in an ordinary one for a private one: then it is that of the tab it was opened from or, where that is
 * closed by now, every private window.
 *
 * @param isPrivate whether the list is of a private window; one that is kept takes none of theirs
 * @param openedFrom the tab that the page was opened from; null: not known
 */
export async function tabsOfWindow(isPrivate: boolean, openedFrom: number | null): Promise<Found[]> {
  if (!isPrivate || browser.extension.inIncognitoContext) {
    return found(await browser.tabs.query({ currentWindow: true }), isPrivate);
  }
  const hidden = (await browser.tabs.query({})).filter(({ incognito }) => incognito);
  const from = hidden.find(({ id }) => id === openedFrom);
  return found(
    hidden.filter(({ windowId }) => !from || windowId === from.windowId),
    true,
  );
}

/** Tabs by their ids; those that are closed by now are not among them. */
export async function tabsByIds(ids: number[], isPrivate: boolean): Promise<Found[]> {
  const tabs = await Promise.all(ids.map((id) => browser.tabs.get(id).catch(() => null)));
  return found(
    tabs.filter((tab) => tab !== null),
    isPrivate,
  );
}

function found(tabs: Tabs.Tab[], isPrivate: boolean): Found[] {
  const own = browser.runtime.getURL('');
  const open = tabs.filter(({ incognito }) => isPrivate || !incognito);
  return open.flatMap(({ url, title }) =>
    url && !url.startsWith(own) ? [{ text: url, title: title ?? '', isNamed: true } as const] : [],
  );
}
