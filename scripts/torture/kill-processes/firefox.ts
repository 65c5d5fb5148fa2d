import { SHIPPED, withLoopbackGranted } from '../../../test/e2e/harness/extension-copy.ts';
import { launchFirefox } from '../../../test/e2e/harness/firefox/firefox.ts';
import type { BrowserKind, RunningBrowser } from './simulated-user.ts';

export const FIREFOX: BrowserKind = {
  extension: () => withLoopbackGranted(SHIPPED.firefox),
  async start(extension, profile): Promise<RunningBrowser> {
    const firefox = await launchFirefox({ extension, profile });
    const page = await firefox.openExtensionPage('links');
    return { page, killBackground: firefox.killBackground, kill: firefox.kill };
  },
};
