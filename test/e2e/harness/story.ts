import { afterAll, beforeAll } from 'vitest';
import { type Backend, startBackend } from './backend.ts';
import type { BrowserUnderTest } from './browser-under-test.ts';
import type { BrowserKind } from './browsers.ts';
import { connectOn } from './person.ts';
import { type Site, startSite } from './site.ts';
import { HOST } from './world.ts';

export interface Story {
  backend: Backend;
  site: Site;
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

/** Limits so high that they delay no test. */
const PLENTY = { TERSE_THROTTLE: '100', TERSE_DAILY_QUOTA: '1000' };

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
    if (begin === 'new') return;
    const page = await story.browser.openExtensionPage('options');
    await connectOn(page, story.backend.connectionLink);
    await page.close();
  });
  afterAll(async () => {
    await story.browser?.kill();
    await Promise.all([story.backend?.kill(), story.site?.close()]);
  });
  return story;
}
