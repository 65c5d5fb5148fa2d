import chrome from '../../manifest.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

/** Supported browsers. The build modes and the folders in dist/ use the same names. */
export type Browser = 'chrome' | 'firefox';

/**
 * Id of the extension in Firefox. It must never change, because the users' data and the store listing are tied to it.
 */
export const GECKO_ID = '{3ad3204a-8cb6-4f87-8b71-42a4140d3c5a}';

/**
 * Public key from which Chrome derives the unpacked extension's id. Without a key, the id depends on the folder, so
 * moving the folder would lose the extension's data. There is no private key, because nothing is signed.
 */
export const CHROME_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArL56EREKdiTnTx6wXEjDRanppc3La4A9AhgtTRWOUQtJhN0GgvTuaKQPLe9etK6fTNQe5wr31/QOeSORmUhEhXSIVrfjebpSgGuyqbJ6gpbA16CUKh2DQW6ZtFWq3bnaH/Ho8TVMsVG9T/WbTaB3yX0hyH86NDdXzUITS8yi0RS3HgYlysImhYyWDR7aJMiEcsy7Qk1oVaMv7FKO7G0kxD8b7S/QrnZJP5nKTIWqpb+yjgBHXHO7dtrTjcVqLhejcCPogfDzkldfodRZ7H4GVCoRdTC6ToRupp8PM0Xr0rr7+Ib7v08hIsskW66532sKczQW/v8ikniGtorLHsgYBQIDAQAB';

/**
 * Kinds of data that the extension sends to the connected service, as declared to the browser stores. The keys are
 * Chrome's names for these kinds, and the values are Firefox's names.
 */
export const DATA_SENT = {
  authenticationInformation: 'authenticationInfo',
  webHistory: 'browsingActivity',
  websiteContent: 'websiteContent',
} as const;

/**
 * Returns the manifest for a browser. manifest.json is in Chrome's format, and this function derives Firefox's
 * manifest from it.
 */
export function manifestFor(browser: Browser) {
  const manifest = browser === 'firefox' ? firefoxManifest() : { key: CHROME_KEY, ...chrome };
  return { ...manifest, version: packageJson.version };
}

/** Removes the key from a built manifest, because the Chrome Web Store rejects packages that contain a key. */
export function withoutKey(manifest: Uint8Array = new Uint8Array()): Uint8Array {
  const { key: _, ...rest } = JSON.parse(new TextDecoder().decode(manifest));
  return new TextEncoder().encode(JSON.stringify(rest));
}

/**
 * Returns Firefox's manifest, which has an event page instead of a service worker. An event page can write to the
 * clipboard, so Firefox needs no offscreen document.
 */
function firefoxManifest() {
  const { minimum_chrome_version: _, background, permissions, ...shared } = chrome;
  return {
    ...shared,
    background: { scripts: [background.service_worker] },
    permissions: permissions.filter((permission) => permission !== 'offscreen'),
    browser_specific_settings: {
      gecko: {
        id: GECKO_ID,
        // Firefox 140 on desktop and Firefox 142 on Android are the first versions that support
        // data_collection_permissions.
        strict_min_version: '140.0',
        data_collection_permissions: { required: Object.values(DATA_SENT) },
      },
      gecko_android: { strict_min_version: '142.0' },
    },
  };
}
