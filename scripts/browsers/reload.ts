import { setTimeout as pause } from 'node:timers/promises';
import type { Chromium } from './chromium.ts';
import { evaluateIn } from './targets.ts';

/**
 * Reloads the unpacked extension, as the button on chrome://extensions does. Without a reload, Chromium would run the
 * old background worker that is stored in the profile. Unlike `Extensions.loadUnpacked`, a reload keeps permissions
 * that the user has granted.
 */
export async function reloadExtension({ cdp, extensionId }: Chromium): Promise<void> {
  const url = 'chrome://extensions/';
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url, background: true });
  await retryAfterNavigation(() => evaluateIn(cdp, { targetId, type: 'page', url }, reloading(extensionId)));
  await cdp.send('Target.closeTarget', { targetId });
}

/**
 * Repeats an evaluation that failed because Chromium navigated the page again. Chromium sometimes navigates a new
 * page to its URL twice.
 */
async function retryAfterNavigation(evaluate: () => Promise<unknown>, tries = 50): Promise<void> {
  try {
    await evaluate();
  } catch (error) {
    if (tries === 0 || !String(error).includes('context was destroyed')) throw error;
    await pause(20);
    await retryAfterNavigation(evaluate, tries - 1);
  }
}

/**
 * Turns on developer mode and reloads the extension. Without developer mode, Chromium does not restart an extension
 * that was not installed from a store.
 */
const reloading = (extensionId: string) => `(async () => {
  while (!globalThis.chrome?.developerPrivate) await new Promise((resolve) => setTimeout(resolve, 10));
  await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
  await chrome.developerPrivate.reload(${JSON.stringify(extensionId)}, { failQuietly: true });
})()`;
