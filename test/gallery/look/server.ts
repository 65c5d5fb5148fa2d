import { resolve } from 'node:path';
import { build, type Plugin, preview } from 'vite';
import manifest from '../../../manifest.json' with { type: 'json' };
import { type PageName, SHOTS } from '../shots.ts';

const ROOT = resolve(import.meta.dirname, '..');
const JSX = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

/** Style sheets of the pages whose names differ from those of their folders. */
const STYLES: Partial<Record<PageName, string>> = {
  many: 'pages/bulk/bulk.css',
  broken: 'components/styles/base.css',
};

/** Vite plugin with an HTML file for each page of the gallery, such as `popup.html`. */
const htmlFiles: Plugin = {
  name: 'gallery-pages',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.html') ? id : null),
  load(id) {
    const [, name] = /(\w+)\.html$/.exec(id) ?? [];
    if (!name) return null;
    return `<!doctype html><html lang="en"><head><meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="stylesheet" href="../../src/${STYLES[name as PageName] ?? `pages/${name}/${name}.css`}" />
      <title>Gallery: ${name}</title></head>
      <body><div id="app"></div><script type="module" src="./gallery.ts"></script></body></html>`;
  },
};

export interface Gallery {
  /** Base address, with a slash at its end. */
  address: string;
  close(): Promise<void>;
}

export async function openGallery(folder: string): Promise<Gallery> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    oxc: JSX,
    plugins: [htmlFiles],
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.keys(SHOTS).map((page) => resolve(ROOT, `${page}.html`)),
        // A single bundle keeps the import order, because the browser stub must run before any code that uses it.
        // Each page has its own style sheet.
        output: { codeSplitting: { groups: [{ name: 'gallery', test: /\.(js|json|mjs|ts|tsx)$/ }] } },
      },
    },
  });
  const server = await preview({
    root: ROOT,
    configFile: false,
    build: { outDir: folder },
    // Same content security policy as the extension, so that the gallery shows if the policy blocks something.
    preview: { port: 0, headers: { 'Content-Security-Policy': manifest.content_security_policy.extension_pages } },
  });
  return { address: server.resolvedUrls?.local[0] ?? '', close: () => server.close() };
}
