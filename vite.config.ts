import { type CrxPlugin, crx } from '@crxjs/vite-plugin';
import { defineConfig, type Plugin } from 'vite';
import { type Browser, manifestFor } from './scripts/build/manifest.ts';

/** Public address of the project. While it is empty, no page links to the project. */
const PROJECT_URL = '';

/** Pages that the build does not find, because the manifest does not contain them. */
const PAGES = ['links', 'bulk', 'welcome', 'queue'];
/** Firefox does not need this page, because its background page can write to the clipboard. */
const OFFSCREEN = 'offscreen';

const CORE =
  /\/(contract|src\/(browser|format|messages|queue|servers|storage|urls))\/|\/node_modules\/(idb|zod|webextension-polyfill)\//;

// `vite build --mode chrome` writes dist/chrome, and `vite build --mode firefox` writes dist/firefox.
export default defineConfig(({ mode, command }) => {
  if (command !== 'build' || !isBrowser(mode)) {
    throw new Error('Build with `npm run build`: the modes are chrome and firefox, and there is no dev server.');
  }
  // The shell's NODE_ENV must not change the build.
  process.env.NODE_ENV = 'production';
  return {
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { 'import.meta.env.VITE_PROJECT_URL': JSON.stringify(PROJECT_URL) },
    plugins: [polyfillAsModule(), ...pagesAndManifest(mode)],
    build: {
      outDir: `dist/${mode}`,
      emptyOutDir: true,
      // Same minimum browser versions as in the manifest.
      target: mode === 'firefox' ? 'firefox140' : 'chrome140',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      sourcemap: false,
      // A slow build is no fault. On a busy machine, every build is slow.
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
    // Builds the pages first, and then the background worker.
    builder: {},
    environments: {
      client: {
        build: {
          rolldownOptions: {
            input: (mode === 'chrome' ? [...PAGES, OFFSCREEN] : PAGES).map((page) => `src/pages/${page}/index.html`),
            // All shared code without UI goes into one file, because many small files would delay the first paint.
            output: { codeSplitting: { groups: [{ name: 'core', test: CORE, minShareCount: 2 }] } },
          },
        },
      },
      // A classic script in one file, because Chromium stores the compiled code of classic scripts, but compiles modules
      // at every start of the background worker.
      worker: {
        consumer: 'client',
        build: {
          emptyOutDir: false,
          copyPublicDir: false,
          manifest: false,
          rolldownOptions: {
            input: 'src/background/index.ts',
            output: { format: 'iife', strict: true, entryFileNames: 'background.js' },
          },
        },
      },
    },
  };
});

function isBrowser(mode: string): mode is Browser {
  return mode === 'chrome' || mode === 'firefox';
}

/**
 * Makes the polyfill a module. The bundler would read each property of `browser` to convert a CommonJS module, and the
 * browser would create all of its APIs, which takes 2 ms.
 */
function polyfillAsModule(): Plugin {
  return {
    name: 'polyfill-as-module',
    transform: {
      filter: { id: /\/webextension-polyfill\// },
      handler: (code) => ({
        code: `const exports = {}, module = { exports };${code}\nexport default module.exports;`,
        // The lines keep their numbers, so the source map stays valid.
        map: null,
      }),
    },
  };
}

/**
 * Builds the pages and the manifest. The background worker is added only to the finished manifest, because
 * `@crxjs/vite-plugin` would build the worker as a module.
 */
function pagesAndManifest(browser: Browser): Plugin[] {
  const { background, ...manifest } = manifestFor(browser);
  const addBackground: CrxPlugin = {
    name: 'add-background',
    // Runs after the plugin that would build the worker.
    enforce: 'post',
    renderCrxManifest: (rendered) => ({ ...rendered, background }),
  };
  return [...(crx({ manifest, browser }) as Plugin[]), addBackground].map((plugin) => ({
    ...plugin,
    applyToEnvironment: ({ name }) => name === 'client',
  }));
}
