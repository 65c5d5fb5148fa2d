import { setTimeout as pause } from 'node:timers/promises';
import type { Chromium } from './chromium.ts';
import { evaluateIn } from './targets.ts';

/**
 * Loads the unpacked extension anew, as the button on chrome://extensions does. Chromium keeps the worker in the profile
 * and goes on with it at the next start, whatever the folder holds by then; the pages are new. This way the granted
 * permissions are kept; `Extensions.loadUnpacked` would lose them at the next start.
 */
export async function reloadExtension({ cdp, extensionId }: Chromium): Promise<void> {
  const url = 'chrome://extensions/';
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url, background: true });
  await whereItStands(() => evaluateIn(cdp, { targetId, type: 'page', url }, reloading(extensionId)));
  await cdp.send('Target.closeTarget', { targetId });
}

/** A page that has just been made is left once more, for the one that was asked for: what is evaluated before is lost with it. */
async function whereItStands(evaluate: () => Promise<unknown>, tries = 50): Promise<void> {
  try {
    await evaluate();
  } catch (error) {
    if (tries === 0 || !String(error).includes('context was destroyed')) throw error;
    await pause(20);
    await whereItStands(evaluate, tries - 1);
  }
}

/** Without the developer mode an extension that is no store's is not started again. */
const reloading = (extensionId: string) => `(async () => {
  while (!globalThis.chrome?.developerPrivate) await new Promise((resolve) => setTimeout(resolve, 10));
  await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
  await chrome.developerPrivate.reload(${JSON.stringify(extensionId)}, { failQuietly: true });
})()`;
