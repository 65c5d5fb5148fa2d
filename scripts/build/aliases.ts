import { fileURLToPath } from 'node:url';

/** What takes the place of a package in what ships. */
export const ALIASES = {
  // What ships talks to the browser itself; the package stays for its types.
  'webextension-polyfill': fileURLToPath(new URL('../../src/platform/browser.ts', import.meta.url)),
  // The contract's schemas, read by a tenth of the code.
  'zod/mini': '@terse/contract/lean/zod-mini',
};
