import type { Browser } from 'webextension-polyfill';

/**
 * The browser's interface to extensions: Firefox calls it `browser`, Chromium `chrome`. Where both answer by promises,
 * which all of Manifest V3 does since Chromium 96, they are used alike; for the one difference that is left see
 * `answerMessages`.
 */
const browser = (globalThis.browser ?? globalThis.chrome) as unknown as Browser;

export default browser;
