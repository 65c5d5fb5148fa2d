import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chromium, startChromium } from '../browsers/chromium.ts';
import { findChromium } from '../browsers/find.ts';
import { reloadExtension } from '../browsers/reload.ts';
import { evaluateIn, type Target, targets } from '../browsers/targets.ts';

/** Maximum time in milliseconds for the extension to start in a new profile or after a reload. */
const EXTENSION_TIMEOUT_MS = 30_000;

/**
 * Opens a Chromium window with the extension and a persistent profile. Returns null if there is no display or no
 * Chromium.
 *
 * When this function returns, the extension opens no more pages. A page that it opens just before a reload has no
 * styles, because its files are missing during the reload. `showPage` closes such pages.
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
  // The extension may have been rebuilt since the profile was last used. After a reload, it opens no welcome page.
  if (wasThere) await reloadExtension(chromium);
  else await untilWelcomed(chromium);
  return chromium;
}

/** Waits for the welcome page, which the extension opens in a new profile. */
async function untilWelcomed(chromium: Chromium): Promise<void> {
  const hasWelcome = async () => (await targets(chromium.cdp)).some((target) => isWelcome(chromium, target));
  const deadline = Date.now() + EXTENSION_TIMEOUT_MS;
  while (!(await hasWelcome()) && Date.now() < deadline) await pause(50);
}

/** True if the extension is connected to a service. */
export async function isConnected({ cdp, extensionId }: Chromium): Promise<boolean> {
  const url = pageUrl(extensionId, 'links');
  const deadline = Date.now() + EXTENSION_TIMEOUT_MS;
  for (;;) {
    const { targetId } = await cdp.send<Target>('Target.createTarget', { url, background: true });
    try {
      return await evaluateIn<boolean>(cdp, { targetId, type: 'page', url }, HAS_CONNECTION);
    } catch (error) {
      // The page or the background worker is not ready yet.
      if (Date.now() > deadline) throw error;
      await pause(100);
    } finally {
      await cdp.send('Target.closeTarget', { targetId });
    }
  }
}

/** Asks the background worker for its queues, because there is one for each connection. */
const HAS_CONNECTION = `chrome.runtime.sendMessage({ type: 'read-queues' })
  .then(({ value }) => value.queues.length > 0)`;

const EMPTY_TAB = /^(about:blank|chrome:\/\/(newtab|new-tab-page[a-z-]*)\/.*)$/;

/**
 * Opens a page of the extension, and closes welcome pages and empty tabs: the welcome page with a filled-in form, or
 * the links page.
 *
 * @param connectionLink link for the form; null if the extension is connected
 */
export async function showPage(chromium: Chromium, connectionLink: string | null): Promise<void> {
  const { cdp, extensionId } = chromium;
  const url = connectionLink
    ? `${pageUrl(extensionId, 'welcome')}#${new URLSearchParams({ connection: connectionLink })}`
    : pageUrl(extensionId, 'links');
  const { targetId } = await cdp.send<Target>('Target.createTarget', { url });
  const isClosed = (page: Target) =>
    page.targetId !== targetId && (isWelcome(chromium, page) || EMPTY_TAB.test(page.url));
  const closed = (await targets(cdp)).filter((target) => target.type === 'page' && isClosed(target));
  for (const page of closed) await cdp.send('Target.closeTarget', { targetId: page.targetId });
  await cdp.send('Target.activateTarget', { targetId });
}

/** Prints why the browser cannot be used. The service runs without it. */
export function showProblem(error: unknown): null {
  console.error(`The browser could not be opened: ${error instanceof Error ? error.message : error}`);
  return null;
}

function pageUrl(extensionId: string, page: 'links' | 'welcome'): string {
  return `chrome-extension://${extensionId}/src/pages/${page}/index.html`;
}

function isWelcome({ extensionId }: Chromium, { url }: Target): boolean {
  return url.startsWith(pageUrl(extensionId, 'welcome'));
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
