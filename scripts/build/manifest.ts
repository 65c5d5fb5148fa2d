import chrome from '../../manifest.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

/** The browsers the extension is built for; also the names of the build modes and of the folders in dist/. */
export type Browser = 'chrome' | 'firefox';

/** Firefox knows the extension by this name; its data and its listing hang on it. */
export const GECKO_ID = 'terse@terse.example';

/** The manifest a browser gets: manifest.json is written in Chrome's form, and Firefox's is derived from it. */
export function manifestFor(browser: Browser) {
  return { ...(browser === 'firefox' ? firefoxManifest() : chrome), version: packageJson.version };
}

/** An event page instead of a service worker, no offscreen documents (the event page has a clipboard of its own). */
function firefoxManifest() {
  const { minimum_chrome_version: _, background, permissions, ...shared } = chrome;
  return {
    ...shared,
    background: { scripts: [background.service_worker], type: background.type },
    permissions: permissions.filter((permission) => permission !== 'offscreen'),
    browser_specific_settings: {
      gecko: {
        id: GECKO_ID,
        // 140 on the desktop and 142 on Android are the first that know data_collection_permissions.
        strict_min_version: '140.0',
        // The address of a page goes to the service the person chose: that is the purpose, and it is said at install.
        data_collection_permissions: { required: ['browsingActivity' as const] },
      },
      gecko_android: { strict_min_version: '142.0' },
    },
  };
}
