import chrome from '../../manifest.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

/** Supported browsers. Also the names of the build modes and of the folders in dist/. */
export type Browser = 'chrome' | 'firefox';

/** Identifies the extension in Firefox. Never change it: its data and its listing depend on it. */
export const GECKO_ID = '{3ad3204a-8cb6-4f87-8b71-42a4140d3c5a}';

/**
 * Chrome derives an unpacked extension's id from this public key. Without a key the id depends on the folder, so a
 * moved folder would lose its data. The private key does not exist, because nothing is signed with it.
 */
export const CHROME_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArL56EREKdiTnTx6wXEjDRanppc3La4A9AhgtTRWOUQtJhN0GgvTuaKQPLe9etK6fTNQe5wr31/QOeSORmUhEhXSIVrfjebpSgGuyqbJ6gpbA16CUKh2DQW6ZtFWq3bnaH/Ho8TVMsVG9T/WbTaB3yX0hyH86NDdXzUITS8yi0RS3HgYlysImhYyWDR7aJMiEcsy7Qk1oVaMv7FKO7G0kxD8b7S/QrnZJP5nKTIWqpb+yjgBHXHO7dtrTjcVqLhejcCPogfDzkldfodRZ7H4GVCoRdTC6ToRupp8PM0Xr0rr7+Ib7v08hIsskW66532sKczQW/v8ikniGtorLHsgYBQIDAQAB';

/**
 * Data sent to the connected service, by its name in Chrome's form (docs/store/answers.yaml), with its name in
 * Firefox's manifest: the API key, the URLs to shorten, and titles that the user sends.
 */
export const DATA_SENT = {
  authenticationInformation: 'authenticationInfo',
  webHistory: 'browsingActivity',
  websiteContent: 'websiteContent',
} as const;

/** Returns the manifest of a browser. manifest.json has Chrome's form, and Firefox's is derived from it. */
export function manifestFor(browser: Browser) {
  const manifest = browser === 'firefox' ? firefoxManifest() : { key: CHROME_KEY, ...chrome };
  return { ...manifest, version: packageJson.version };
}

/** Removes the key from a built manifest, because Chrome's store rejects packages with a key. */
export function withoutKey(manifest: Uint8Array = new Uint8Array()): Uint8Array {
  const { key: _, ...rest } = JSON.parse(new TextDecoder().decode(manifest));
  return new TextEncoder().encode(JSON.stringify(rest));
}

/**
 * Uses an event page instead of a service worker, and no offscreen document, since the event page can use the
 * clipboard.
 */
function firefoxManifest() {
  const { minimum_chrome_version: _, background, permissions, ...shared } = chrome;
  return {
    ...shared,
    background: { scripts: [background.service_worker], type: background.type },
    permissions: permissions.filter((permission) => permission !== 'offscreen'),
    browser_specific_settings: {
      gecko: {
        id: GECKO_ID,
        // 140 on desktop and 142 on Android are the first versions that support data_collection_permissions.
        strict_min_version: '140.0',
        data_collection_permissions: { required: Object.values(DATA_SENT) },
      },
      gecko_android: { strict_min_version: '142.0' },
    },
  };
}
