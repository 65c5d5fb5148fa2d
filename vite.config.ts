import { crx } from '@crxjs/vite-plugin';
import { defineConfig, mergeConfig } from 'vite';
import manifest from './manifest.json' with { type: 'json' };
import { compiling } from './scripts/build/compiling.ts';
import { fewestFiles } from './scripts/build/fewest-files.ts';
import { leanLocales } from './scripts/build/lean-locales.ts';
import { type Browser, manifestFor } from './scripts/build/manifest.ts';

// `vite build --mode chrome` writes dist/chrome, `--mode firefox` writes dist/firefox.
export default defineConfig(({ mode, command }) => {
  if (command !== 'build' || !isBrowser(mode)) {
    throw new Error('Build with `npm run build`: the modes are chrome and firefox, and there is no dev server.');
  }
  // Whatever the shell has it set to, what ships is the same.
  process.env.NODE_ENV = 'production';
  return mergeConfig(compiling(), {
    plugins: [
      leanLocales(),
      crx({ manifest: manifestFor(mode), browser: mode }),
      fewestFiles(manifest.background.service_worker),
    ],
    build: {
      outDir: `dist/${mode}`,
      // Short names: a package has each file's twice, and those who load it once more.
      assetsDir: 'a',
      emptyOutDir: true,
      // The versions the manifest asks for: nothing is compiled down, nothing needs a polyfill.
      target: mode === 'firefox' ? 'firefox140' : 'chrome140',
      modulePreload: false,
      assetsInlineLimit: 0,
      sourcemap: false,
      rolldownOptions: {
        output: { assetFileNames: 'a/[name]-[hash:6][extname]' },
        input: [
          'src/links/index.html',
          'src/many/index.html',
          'src/welcome/index.html',
          'src/queue-page/index.html',
          // The manifest does not name it: only Chrome's background needs a document to reach the clipboard.
          ...(mode === 'chrome' ? ['src/offscreen/index.html'] : []),
        ],
      },
    },
  });
});

function isBrowser(mode: string): mode is Browser {
  return mode === 'chrome' || mode === 'firefox';
}
