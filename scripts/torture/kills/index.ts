import { BUILD, hasBrowsers } from '../../test/steps.ts';
import type { Loop } from '../loop.ts';
import { CHROMIUM } from './chromium.ts';
import { FIREFOX } from './firefox.ts';
import { playOtherServers } from './other-servers.ts';
import { playKills } from './play.ts';

const KINDS = { chromium: CHROMIUM, firefox: FIREFOX };

/**
 * Returns a loop that fills the queues and kills the browser, the background worker and the service at random times.
 */
export function kills(browser: keyof typeof KINDS): Loop {
  return { name: `kills-${browser}`, prepare, play: (seed) => playKills(KINDS[browser], seed) };
}

/**
 * Returns a loop that disturbs servers of other kinds, and kills the browser and the background worker at random times.
 */
export function otherServers(browser: keyof typeof KINDS): Loop {
  return { name: `others-${browser}`, prepare, play: (seed) => playOtherServers(KINDS[browser], seed) };
}

let ready: Promise<void> | null = null;

/** Builds the extension and finds the browsers. All loops share one build. */
function prepare(): Promise<void> {
  ready ??= (async () => {
    const { failed } = await BUILD.run();
    if (failed > 0 || !(await hasBrowsers()))
      throw new Error('This test needs a successful build and both browsers. See the messages above.');
  })();
  return ready;
}
