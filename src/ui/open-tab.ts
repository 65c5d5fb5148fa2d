import browser from '../platform/browser.ts';

/** Opens an address in a new tab. */
export async function openTab(url: string): Promise<void> {
  await browser.tabs.create({ url });
}

/**
 * Opens an address in a private window, the last one or a new one, from a page in an ordinary window: the history must not record it.
 *
 * @throws if the browser opens no private window
 */
export async function openPrivately(url: string): Promise<void> {
  if (!browser.windows) throw new Error('There are no windows.');
  const open = await browser.windows.getAll({ windowTypes: ['normal'] });
  const windowId = open.findLast(({ incognito }) => incognito)?.id;
  if (windowId === undefined) {
    await browser.windows.create({ url, incognito: true });
    return;
  }
  await browser.tabs.create({ url, windowId });
  await browser.windows.update(windowId, { focused: true });
}
