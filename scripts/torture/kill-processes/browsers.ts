import { quietArguments } from '../../../test/e2e/harness/chromium.ts';
import { launchFirefox } from '../../../test/e2e/harness/firefox/firefox.ts';
import { SHIPPED, withLoopbackGranted } from '../../../test/e2e/harness/folders.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import { startChromium } from '../../browsers/chromium.ts';
import { findChromium } from '../../browsers/find.ts';
import { evaluateIn, killWorker } from '../../browsers/targets.ts';

export interface BrowserKind {
  /** Returns a folder that contains the built extension with permission to access loopback addresses. */
  extension(): string;
  start(extension: string, profile: string): Promise<RunningBrowser>;
}

export interface RunningBrowser {
  page: { evaluate(expression: string): Promise<unknown> };
  /** Stops the background worker abruptly, as the browser does when the worker is idle. */
  killBackground(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * Controls Chromium only through its debugging pipe, because a browser driver would attach to the background worker
 * and keep it alive.
 */
const chromium: BrowserKind = {
  extension: () => withLoopbackGranted(SHIPPED.chrome),
  async start(extension, profile) {
    const executable = findChromium();
    if (!executable) throw new Error('Chromium was not found. Run `npm test` to install it.');
    const args = ['--headless=new', ...quietArguments([]), 'about:blank'];
    const running = await startChromium({ executable, profile, extension, args });
    const { cdp, extensionId } = running;
    const url = `chrome-extension://${extensionId}/src/pages/links/index.html`;
    const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url });
    const page = { targetId, type: 'page', url };
    const isLoaded = `location.href === '${url}' && document.readyState === 'complete'`;
    await until(`${url} to load`, () => evaluateIn<boolean>(cdp, page, isLoaded).catch(() => false));
    return {
      page: { evaluate: (expression) => evaluateIn(cdp, page, expression) },
      killBackground: () => killWorker(running),
      kill: running.kill,
    };
  },
};

const firefox: BrowserKind = {
  extension: () => withLoopbackGranted(SHIPPED.firefox),
  async start(extension, profile) {
    const running = await launchFirefox({ extension, profile });
    const page = await running.openExtensionPage('links');
    return { page, killBackground: running.killBackground, kill: running.kill };
  },
};

export const BROWSERS = { chromium, firefox };
