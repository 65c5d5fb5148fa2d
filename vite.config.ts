import { crx } from '@crxjs/vite-plugin';
import { defineConfig } from 'vite';
import chromeManifest from './manifest.json' with { type: 'json' };
import packageJson from './package.json' with { type: 'json' };
import { firefoxManifest } from './scripts/build/firefox-manifest.ts';
import { noInnerHtml } from './scripts/build/no-inner-html.ts';

// `vite build --mode chrome` writes dist/chrome, `--mode firefox` writes dist/firefox.
export default defineConfig(({ mode, command }) => {
  if (command !== 'build' || (mode !== 'chrome' && mode !== 'firefox')) {
    throw new Error('Build with `npm run build`: the modes are chrome and firefox, and there is no dev server.');
  }
  const manifest = mode === 'firefox' ? firefoxManifest(chromeManifest) : chromeManifest;
  return {
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [noInnerHtml(), crx({ manifest: { ...manifest, version: packageJson.version }, browser: mode })],
    build: {
      outDir: `dist/${mode}`,
      emptyOutDir: true,
      // The versions the manifest asks for: nothing is compiled down, nothing needs a polyfill.
      target: mode === 'firefox' ? 'firefox142' : 'chrome140',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      sourcemap: false,
      rolldownOptions: {
        input: [
          'src/links/index.html',
          // The manifest does not name it: only Chrome's background needs a document to reach the clipboard.
          ...(mode === 'chrome' ? ['src/offscreen/index.html'] : []),
        ],
      },
    },
  };
});
