import type { Browser, Menus, Permissions, Runtime, Tabs } from 'webextension-polyfill';

export type { Menus, Permissions, Runtime, Tabs };

/**
 * The browser's interface to extensions: Firefox calls it `browser`, Chromium `chrome`. Where both answer by promises,
 * which all of Manifest V3 does since Chromium 96, they are used alike; for the one difference that is left see
 * `answerMessages`. The types are those of a package that names what both have in common; nothing of it is loaded.
 */
const browser = (globalThis.browser ?? globalThis.chrome) as unknown as Browser;

export default browser;
