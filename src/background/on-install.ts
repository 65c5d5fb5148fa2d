import type { Runtime } from '../browser/browser.ts';
import browser from '../browser/browser.ts';

/**
 * Opens the welcome page after an installation.
 *
 * @param isConnected resolves to true if the extension is already connected to a service. In this case, the welcome
 * page does not open. Chromium reports an installation at every start if the extension is unpacked.
 */
export async function onInstalled(
  { reason }: Runtime.OnInstalledDetailsType,
  isConnected: () => Promise<boolean>,
): Promise<void> {
  if (reason !== 'install' || (await isConnected())) return;
  const url = browser.runtime.getURL('src/pages/welcome/index.html');
  // The welcome page must not open in a private window, because the browser deletes a private window's data when the
  // window closes. If the last focused window is private or unknown, the page opens in a new window. Android has no
  // windows.
  const focused = await browser.windows?.getLastFocused().catch(() => ({ incognito: true }));
  if (focused?.incognito) await browser.windows.create({ url });
  else await browser.tabs.create({ url });
}
