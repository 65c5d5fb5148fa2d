import { openPiped, startWithoutDriver } from '../../../test/e2e/harness/chromium.ts';
import { launchFirefox } from '../../../test/e2e/harness/firefox/firefox.ts';
import { SHIPPED, withLoopbackGranted } from '../../../test/e2e/harness/folders.ts';
import { killWorker } from '../../browsers/targets.ts';

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

const chromium: BrowserKind = {
  extension: () => withLoopbackGranted(SHIPPED.chrome),
  async start(extension, profile) {
    const running = await startWithoutDriver(extension, { profile });
    const url = `chrome-extension://${running.extensionId}/src/pages/links/index.html`;
    const page = await openPiped(running, url);
    return { page, killBackground: () => killWorker(running), kill: running.kill };
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
