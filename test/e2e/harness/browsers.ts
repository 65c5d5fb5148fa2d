import { ALL_TESTS } from '../../../scripts/test/which-tests.ts';
import type { BrowserOnScreen, BrowserUnderTest } from './browser-under-test.ts';
import { startChromiumOnScreen, startChromiumUnderTest } from './chromium-under-test.ts';
import type { Display } from './display.ts';
import { SHIPPED, withLoopbackGranted } from './extension-copy.ts';
import { launchFirefox } from './firefox/firefox.ts';
import { launchFirefoxOnScreen } from './firefox/on-screen.ts';
import { HOST } from './world.ts';

interface StartOptions {
  proxy?: string;
  welcome?: boolean;
  permissions?: string[];
}

/** Parameters of a test for one browser, for `describe.each(BROWSERS)('$name', ({ startBrowser }) => …)`. */
export interface BrowserKind {
  name: BrowserUnderTest['name'];
  /**
   * Starts a headless browser with a new profile. The extension has permission for loopback, because a headless
   * browser shows no permission dialog. The browser runs until the test kills or closes it.
   *
   * @param options.proxy proxy for all requests
   * @param options.welcome true to keep the welcome page open
   * @param options.permissions optional permissions that the browser grants on request
   */
  startBrowser(options?: StartOptions): Promise<BrowserUnderTest>;
  /** Starts a browser with a new profile and the unmodified extension, in a window on a display. */
  startOnScreen(display: Display): Promise<BrowserOnScreen>;
}

const hosts = [HOST];

export const BROWSERS: BrowserKind[] = [
  {
    name: 'Chromium',
    // These permissions move to Chromium's manifest: Chromium grants a manifest's permissions without a dialog, but
    // cannot answer a dialog automatically.
    startBrowser: ({ permissions, ...options } = {}) =>
      startChromiumUnderTest({ extension: withLoopbackGranted(SHIPPED.chrome, permissions), hosts, ...options }),
    startOnScreen: (display) => startChromiumOnScreen({ extension: SHIPPED.chrome, hosts }, display),
  },
  {
    name: 'Firefox',
    // Firefox grants every permission request automatically, so the list is not needed.
    startBrowser: ({ permissions: _, ...options } = {}) =>
      launchFirefox({ extension: withLoopbackGranted(SHIPPED.firefox), hosts, ...options }),
    startOnScreen: (display) => launchFirefoxOnScreen({ extension: SHIPPED.firefox, hosts }, display),
  },
];

/** Browsers for flows of pages, which work the same in each browser. */
export const BROWSERS_FOR_PAGES = ALL_TESTS ? BROWSERS : BROWSERS.slice(0, 1);
