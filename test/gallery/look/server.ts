import { resolve } from 'node:path';
import { build, preview } from 'vite';
import manifest from '../../../manifest.json' with { type: 'json' };
import { SHOTS } from '../shots.ts';

const ROOT = resolve(import.meta.dirname, '..');
const JSX = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const;

export interface Gallery {
  /** Base address, with a slash at its end. */
  address: string;
  close(): Promise<void>;
}

/** Builds the gallery into a folder and serves it. */
export async function openGallery(folder: string): Promise<Gallery> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    oxc: JSX,
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.keys(SHOTS).map((page) => resolve(ROOT, `${page}.html`)),
        // One bundle in import order, because the browser stub must run before any code that uses it. Styles stay with
        // their pages.
        output: { codeSplitting: { groups: [{ name: 'gallery', test: /\.(js|json|mjs|ts|tsx)$/ }] } },
      },
    },
  });
  const server = await preview({
    root: ROOT,
    configFile: false,
    build: { outDir: folder },
    // The content security policy of the extension, so that the pictures also lack what it blocks.
    preview: { port: 0, headers: { 'Content-Security-Policy': manifest.content_security_policy.extension_pages } },
  });
  return { address: server.resolvedUrls?.local[0] ?? '', close: () => server.close() };
}
