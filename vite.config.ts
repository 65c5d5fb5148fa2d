import { crx } from '@crxjs/vite-plugin';
import { defineConfig } from 'vite';
import { type Browser, manifestFor } from './scripts/build/manifest.ts';

/** Public address of the project. While it is empty, no page links to the project. */
const PROJECT_URL = '';

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
    plugins: [crx({ manifest: manifestFor(mode), browser: mode })],
    build: {
      outDir: `dist/${mode}`,
      emptyOutDir: true,
      // Same minimum browser versions as in the manifest.
      target: mode === 'firefox' ? 'firefox140' : 'chrome140',
      modulePreload: false,
      assetsInlineLimit: 0,
      sourcemap: false,
      rolldownOptions: {
        // A slow build is no fault. On a busy machine, every build is slow.
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: {
            // All shared code without UI goes into one file. Many small files would delay the start of the background
            // worker and the first paint of the popup.
            groups: [{ name: 'core', test: CORE, minShareCount: 2 }],
          },
        },
        input: [
          'src/pages/links/index.html',
          'src/pages/bulk/index.html',
          'src/pages/welcome/index.html',
          'src/pages/queue/index.html',
          // The build finds only pages that the manifest contains. Chrome's manifest has no field for the offscreen
          // document, so it is listed here.
          ...(mode === 'chrome' ? ['src/pages/offscreen/index.html'] : []),
        ],
      },
    },
  };
});

function isBrowser(mode: string): mode is Browser {
  return mode === 'chrome' || mode === 'firefox';
}
