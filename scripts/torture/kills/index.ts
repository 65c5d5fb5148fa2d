import { BUILD, hasBrowsers } from '../../test/steps.ts';
import type { Loop } from '../loop.ts';
import { CHROMIUM } from './chromium.ts';
import { FIREFOX } from './firefox.ts';
import { playKills } from './play.ts';

const KINDS = { chromium: CHROMIUM, firefox: FIREFOX };

/**
 * Returns a loop that fills the queues and kills the browser, the background worker and the service at random times.
 */
export function kills(browser: keyof typeof KINDS): Loop {
  return { name: `kills-${browser}`, prepare, play: (seed) => playKills(KINDS[browser], seed) };
}

let ready: Promise<void> | null = null;

/** Builds the extension and finds the browsers. All loops share one build. */
function prepare(): Promise<void> {
  ready ??= (async () => {
    const { failed } = await BUILD.run();
    if (failed > 0 || !(await hasBrowsers()))
      throw new Error('Without a build and both browsers nothing can be killed.');
  })();
  return ready;
}
