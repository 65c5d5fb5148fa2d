import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chromium, startChromium } from '../browsers/chromium.ts';
import { findChromium } from '../browsers/find.ts';
import { reloadExtension } from '../browsers/reload.ts';
import { type Target, targets } from '../browsers/targets.ts';

/**
 * Opens a Chromium window with the extension and a persistent profile. Returns null if there is no display or no
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
    // Chromium's sandbox does not work as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  // The extension may have been rebuilt since the profile was last used.
  if (wasThere) await reloadExtension(chromium);
  return chromium;
}

/** Maximum time in milliseconds to wait for the welcome page, which opens only if the extension has no connection. */
const WELCOME_TIMEOUT_MS = 5_000;

const EMPTY_TAB = /^(about:blank|chrome:\/\/(newtab|new-tab-page[a-z-]*)\/.*)$/;

/**
 * Opens a form that contains the connection link, and closes other welcome pages and empty tabs. If the extension is
 * new, the form is on the welcome page, which helps the user create the first link. If the extension is already
 * connected, there is no welcome page, and the form is on the options page.
 */
export async function showConnectionForm({ cdp, extensionId }: Chromium, connectionLink: string): Promise<void> {
  const origin = `chrome-extension://${extensionId}/`;
  const isWelcome = ({ url }: Target) => url.startsWith(`${origin}src/pages/welcome/`);
  const deadline = Date.now() + WELCOME_TIMEOUT_MS;
  let isNew = false;
  while (!isNew && Date.now() < deadline) {
    await pause(50);
    isNew = (await targets(cdp)).some(isWelcome);
  }
  const fragment = new URLSearchParams({ connection: connectionLink });
  const url = `${origin}src/pages/${isNew ? 'welcome' : 'options'}/index.html#${fragment}`;
  const { targetId } = await cdp.send<Target>('Target.createTarget', { url });
  const isClosed = (page: Target) => page.targetId !== targetId && (isWelcome(page) || EMPTY_TAB.test(page.url));
  const closed = (await targets(cdp)).filter((target) => target.type === 'page' && isClosed(target));
  for (const page of closed) await cdp.send('Target.closeTarget', { targetId: page.targetId });
  await cdp.send('Target.activateTarget', { targetId });
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
