import type { Plugin } from 'vite';

/**
 * Loads what is imported late by the import alone. Vite's own way preloads what that imports in turn and adds its styles:
 * there are neither here, and every page would carry the code for it.
 */
export function noPreload(): Plugin {
  return {
    name: 'terse:no-preload',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: () => ({ code: 'export const __vitePreload = (load) => load();', moduleSideEffects: false }),
    },
  };
}
