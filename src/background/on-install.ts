import type { Runtime } from '../browser/browser.ts';
import browser from '../browser/browser.ts';

/**
 * Opens the page for a new person after an installation. An update opens nothing: it is noted which version it came from,
 * the earliest of those that nobody has read the news since.
 *
 * @param isConnected whether it has been used before: a Chromium that is told to load a folder calls each start an installation
 */
export async function onInstalled(
  { reason, previousVersion }: Runtime.OnInstalledDetailsType,
  isConnected: () => Promise<boolean>,
): Promise<void> {
  if (reason === 'update') {
    const noted = await browser.storage.local.get('updatedFrom');
    await browser.storage.local.set({ updatedFrom: previousVersion, ...noted });
  }
  if (reason !== 'install' || (await isConnected())) return;
  const url = browser.runtime.getURL('src/pages/welcome/index.html');
  // In no private window: what is connected there would be forgotten with it. Where only such are open, which it may not see, there
  // is none to open a tab in. Android has no windows.
  const focused = await browser.windows?.getLastFocused().catch(() => ({ incognito: true }));
  if (focused?.incognito) await browser.windows.create({ url });
  else await browser.tabs.create({ url });
}
