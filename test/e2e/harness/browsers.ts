import type { BrowserOnScreen, BrowserUnderTest } from './browser-under-test.ts';
import { startChromiumOnScreen } from './chromium-on-screen.ts';
import { startChromiumUnderTest } from './chromium-under-test.ts';
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

/** Parameters of a test for one browser: `describe.each(BROWSERS)('$name', ({ startBrowser }) => …)`. */
export interface BrowserKind {
  name: BrowserUnderTest['name'];
  /**
   * Starts a headless browser on a new profile. The extension's permission for loopback is granted, because a
   * headless browser shows no dialog. It runs until it is killed or closed.
   *
   * @param options.proxy proxy of all requests
   * @param options.welcome keeps the welcome page open
   * @param options.permissions optional permissions that are granted on request
   */
  startBrowser(options?: StartOptions): Promise<BrowserUnderTest>;
  /** Starts a browser in a window on a display, on a new profile, with the unmodified extension. */
  startOnScreen(display: Display): Promise<BrowserOnScreen>;
}

const hosts = [HOST];

export const BROWSERS: BrowserKind[] = [
  {
    name: 'Chromium',
    // Chromium does not ask for permissions that the manifest has, and cannot answer a dialog automatically.
    startBrowser: ({ permissions, ...options } = {}) =>
      startChromiumUnderTest({ extension: withLoopbackGranted(SHIPPED.chrome, permissions), hosts, ...options }),
    startOnScreen: (display) => startChromiumOnScreen({ extension: SHIPPED.chrome, hosts }, display),
  },
  {
    name: 'Firefox',
    // Every permission request is granted automatically.
    startBrowser: ({ permissions: _, ...options } = {}) =>
      launchFirefox({ extension: withLoopbackGranted(SHIPPED.firefox), hosts, ...options }),
    startOnScreen: (display) => launchFirefoxOnScreen({ extension: SHIPPED.firefox, hosts }, display),
  },
];
