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

/** What a flow is told of a browser: `describe.each(BROWSERS)('$name', ({ startBrowser }) => …)`. */
export interface BrowserKind {
  name: BrowserUnderTest['name'];
  /**
   * Starts it without a screen, on a new profile. The built extension may reach loopback in it: nobody is asked where
   * nobody sees it. It runs until it is killed or closed.
   *
   * @param options.proxy everything it sends goes through this one
   * @param options.welcome the page for a new person stays open
   * @param options.permissions optional ones, which the person allows when they are asked for
   */
  startBrowser(options?: StartOptions): Promise<BrowserUnderTest>;
  /** Starts it in a window on a display, on a new profile, with the extension exactly as it ships. */
  startOnScreen(display: Display): Promise<BrowserOnScreen>;
}

const hosts = [HOST];

export const BROWSERS: BrowserKind[] = [
  {
    name: 'Chromium',
    // It asks for nothing that is among the permissions already, and has no answer of its own to a question.
    startBrowser: ({ permissions, ...options } = {}) =>
      startChromiumUnderTest({ extension: withLoopbackGranted(SHIPPED.chrome, permissions), hosts, ...options }),
    startOnScreen: (display) => startChromiumOnScreen({ extension: SHIPPED.chrome, hosts }, display),
  },
  {
    name: 'Firefox',
    // Every question is answered with yes.
    startBrowser: ({ permissions: _, ...options } = {}) =>
      launchFirefox({ extension: withLoopbackGranted(SHIPPED.firefox), hosts, ...options }),
    startOnScreen: (display) => launchFirefoxOnScreen({ extension: SHIPPED.firefox, hosts }, display),
  },
];
