import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chromium, startChromium } from '../browsers/chromium.ts';
import { findChromium } from '../browsers/find.ts';
import { reloadExtension } from '../browsers/reload.ts';
import { type Target, targets } from '../browsers/targets.ts';

/**
 * Opens a Chromium window with the extension and a persistent profile. Returns null without a display or without
 * Chromium.
 */
export async function openBrowser(extension: string, profile: string): Promise<Chromium | null> {
  const executable = hasScreen() ? findChromium() : null;
  if (!executable) return null;
  const wasThere = existsSync(profile);
  const chromium = await startChromium({
    executable,
    extension,
    profile,
    // Chromium's sandbox does not run as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  // The build may have changed since the profile was last used.
  if (wasThere) await reloadExtension(chromium);
  return chromium;
}

/** Maximum time in milliseconds to wait for the welcome page. A connected extension does not open this page. */
const WELCOME_TIMEOUT_MS = 5_000;

const EMPTY_TAB = /^(about:blank|chrome:\/\/(newtab|new-tab-page[a-z-]*)\/.*)$/;

/**
 * Shows an extension page in front. Closes empty tabs and the welcome page, even if the welcome page has a separate
 * window.
 */
export async function showInFront({ cdp, extensionId }: Chromium, path: string): Promise<void> {
  const origin = `chrome-extension://${extensionId}/`;
  const isWelcome = ({ url }: Target) => url.startsWith(`${origin}src/pages/welcome/`);
  const deadline = Date.now() + WELCOME_TIMEOUT_MS;
  while (!(await targets(cdp)).some(isWelcome) && Date.now() < deadline) await pause(50);
  const { targetId } = await cdp.send<Target>('Target.createTarget', { url: origin + path });
  const isClosed = (page: Target) => page.targetId !== targetId && (isWelcome(page) || EMPTY_TAB.test(page.url));
  const closed = (await targets(cdp)).filter((target) => target.type === 'page' && isClosed(target));
  for (const page of closed) await cdp.send('Target.closeTarget', { targetId: page.targetId });
  await cdp.send('Target.activateTarget', { targetId });
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
