import browser from '../platform/browser.ts';

/**
 * Opens an address in a private window from a page in an ordinary one, whose history is to hear nothing of it: in the private
 * window that is there, or in a new one.
 *
 * @throws where the browser opens no private window
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
