import { BUILD, hasBrowsers } from '../../test/steps.ts';
import type { RandomTest } from '../random-test.ts';
import { CHROMIUM } from './chromium.ts';
import { FIREFOX } from './firefox.ts';
import { runWithOtherServers } from './other-servers.ts';
import { runWithKills } from './run-with-kills.ts';

const KINDS = { chromium: CHROMIUM, firefox: FIREFOX };

/**
 * Returns a random test that fills the extension's queues and kills the browser, the background worker and the
 * service at random times.
 */
export function kills(browser: keyof typeof KINDS): RandomTest {
  return { name: `kills-${browser}`, prepare, run: (seed) => runWithKills(KINDS[browser], seed) };
}

/**
 * Returns a random test with fake third-party servers, such as Kutt. The test makes these servers fail, and kills the
 * browser and the background worker at random times.
 */
export function otherServers(browser: keyof typeof KINDS): RandomTest {
  return { name: `others-${browser}`, prepare, run: (seed) => runWithOtherServers(KINDS[browser], seed) };
}

let ready: Promise<void> | null = null;

/** Builds the extension and finds the browsers. All random tests share one build. */
function prepare(): Promise<void> {
  ready ??= (async () => {
    const { failed } = await BUILD.run();
    if (failed > 0 || !(await hasBrowsers()))
      throw new Error('This test needs a successful build and both browsers. See the messages above.');
  })();
  return ready;
}
