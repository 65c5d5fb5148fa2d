import chrome from '../../manifest.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

/** Supported browsers. The build modes and the folders in dist/ have the same names. */
export type Browser = 'chrome' | 'firefox';

/**
 * Id of the extension in Firefox. It must never change, because the users' data and the store listing depend on it.
 */
export const GECKO_ID = '{3ad3204a-8cb6-4f87-8b71-42a4140d3c5a}';

/**
 * Public key from which Chrome derives the unpacked extension's id. Without a key, the id depends on the folder, so
 * an extension in a moved folder would lose its data. No private key exists, because the key signs nothing.
 */
export const CHROME_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArL56EREKdiTnTx6wXEjDRanppc3La4A9AhgtTRWOUQtJhN0GgvTuaKQPLe9etK6fTNQe5wr31/QOeSORmUhEhXSIVrfjebpSgGuyqbJ6gpbA16CUKh2DQW6ZtFWq3bnaH/Ho8TVMsVG9T/WbTaB3yX0hyH86NDdXzUITS8yi0RS3HgYlysImhYyWDR7aJMiEcsy7Qk1oVaMv7FKO7G0kxD8b7S/QrnZJP5nKTIWqpb+yjgBHXHO7dtrTjcVqLhejcCPogfDzkldfodRZ7H4GVCoRdTC6ToRupp8PM0Xr0rr7+Ib7v08hIsskW66532sKczQW/v8ikniGtorLHsgYBQIDAQAB';

/**
 * Data that the extension sends to the connected service: the API key, the URLs to shorten, and titles that the user
 * sends. The property names are from Chrome's form (docs/store/answers.yaml), and the values are from Firefox's
 * manifest.
 */
export const DATA_SENT = {
  authenticationInformation: 'authenticationInfo',
  webHistory: 'browsingActivity',
  websiteContent: 'websiteContent',
} as const;

/**
 * Returns the manifest for a browser. The file manifest.json has Chrome's format, and this function derives Firefox's
 * manifest.
 */
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
 * Replaces the service worker with an event page. The event page can write to the clipboard, so Firefox needs no
 * offscreen document.
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
        // Firefox 140 on desktop and 142 on Android are the first versions with data_collection_permissions.
        strict_min_version: '140.0',
        data_collection_permissions: { required: Object.values(DATA_SENT) },
      },
      gecko_android: { strict_min_version: '142.0' },
    },
  };
}
