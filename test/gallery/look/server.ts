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
