import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { ALL_TESTS } from '../../../scripts/test/which-tests.ts';
import { type Backend, startBackend } from './backend.ts';
import type { BrowserOnScreen, BrowserUnderTest } from './browser-under-test.ts';
import { type ChromiumOptions, type ChromiumUnderTest, launchChromium } from './chromium.ts';
import { launchChromiumOnScreen } from './chromium-on-screen.ts';
import { type Display, openDisplay } from './display.ts';
import { launchFirefox } from './firefox/firefox.ts';
import { launchFirefoxOnScreen } from './firefox/on-screen.ts';
import { SHIPPED, withLoopbackGranted } from './folders.ts';
import type { Listening } from './listen.ts';
import { connectOn } from './person.ts';
import { startSite } from './site.ts';
import { startSpecOnlyService } from './spec-only-service.ts';

/** Host of the web site in all tests. The extension has no permission for this host. */
export const HOST = 'news.example';

const hosts = [HOST];

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

export const CHROMIUM: BrowserKind = {
  name: 'Chromium',
  // These permissions move to Chromium's manifest: Chromium grants a manifest's permissions without a dialog, but
  // cannot answer a dialog automatically.
  startBrowser: ({ permissions, ...options } = {}) =>
    launchChromium({ extension: withLoopbackGranted(SHIPPED.chrome, permissions), hosts, ...options }),
  startOnScreen: (display) => launchChromiumOnScreen({ extension: SHIPPED.chrome, hosts }, display),
};

export const FIREFOX: BrowserKind = {
  name: 'Firefox',
  // Firefox grants every permission request automatically, so the list is not needed.
  startBrowser: ({ permissions: _, ...options } = {}) =>
    launchFirefox({ extension: withLoopbackGranted(SHIPPED.firefox), hosts, ...options }),
  startOnScreen: (display) => launchFirefoxOnScreen({ extension: SHIPPED.firefox, hosts }, display),
};

export const BROWSERS = [CHROMIUM, FIREFOX];

/** Browsers for flows of pages, which work the same in each browser. */
export const BROWSERS_FOR_PAGES = ALL_TESTS ? BROWSERS : [CHROMIUM];

/** A rate limit and a quota so high that they delay no test. */
const QUICK = { TERSE_THROTTLE: '100' };
const PLENTY = { ...QUICK, TERSE_DAILY_QUOTA: '1000' };

export interface Story {
  backend: Backend;
  site: Listening;
  browser: BrowserUnderTest;
  page(path: string): string;
}

interface StoryOptions {
  /** `new` starts without a connection and with the welcome page open. */
  begin?: 'connected' | 'new';
  settings?: Record<string, string>;
  /** Optional permissions that the browser grants on request. */
  permissions?: string[];
}

/**
 * Starts a headless browser, a connected backend and a web site for all tests of a `describe`. Each test continues
 * where the previous test ended, and closes its own pages.
 */
export function tellStory({ startBrowser }: BrowserKind, options: StoryOptions = {}): Story {
  const { begin = 'connected', settings, permissions = [] } = options;
  const story = { page: (path: string) => `http://${HOST}:${story.site.port}${path}` } as Story;
  beforeAll(async () => {
    [story.backend, story.site, story.browser] = await Promise.all([
      startBackend({ ...PLENTY, ...settings }),
      startSite(),
      startBrowser({ welcome: begin === 'new', permissions }),
    ]);
    if (begin === 'connected') await connect(story.browser, story.backend.connectionLink);
  });
  afterAll(async () => {
    await story.browser?.kill();
    await Promise.all([story.backend?.kill(), story.site?.close()]);
  });
  return story;
}

/** Connects the extension to a service. */
export async function connect(browser: BrowserUnderTest, connectionLink: string): Promise<void> {
  const options = await browser.openExtensionPage('options');
  await connectOn(options, connectionLink);
  await options.close();
}

/** Waits until something has started, and ends it when the test ends. */
async function given<T>(starting: Promise<T>, end: (one: T) => Promise<void>): Promise<T> {
  const one = await starting;
  onTestFinished(() => end(one));
  return one;
}

/** Starts a backend with a high rate limit, and stops it when the test ends. */
export function givenBackend(environment: Record<string, string> = {}): Promise<Backend> {
  return given(startBackend({ ...QUICK, ...environment }), (backend) => backend.kill());
}

/** Starts a service that only follows the specification, and stops it when the test ends. */
export const givenSpecOnlyService = () => given(startSpecOnlyService(), (service) => service.close());

export const givenSite = () => given(startSite(), (site) => site.close());

export const givenDisplay = () => given(openDisplay(), (display) => display.close());

/** Starts a Chromium with the built extension and permission for loopback, and closes it when the test ends. */
export function givenChromium(options: Partial<ChromiumOptions> = {}): Promise<ChromiumUnderTest> {
  const extension = options.extension ?? withLoopbackGranted(SHIPPED.chrome);
  return given(launchChromium({ hosts, ...options, extension }), (browser) => browser.kill());
}
