import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createBuilder } from 'vite';
import type { Browser } from '../build/manifest.ts';

/**
 * Builds the extension with source maps and without minification, and rebuilds it on every change. After the first
 * build, returns the build tool's watchers of the pages and of the background worker. Vite's development server is not
 * used, because an extension that loads its code from there would need access to all sites.
 *
 * @param outDir output folder, which is deleted first
 * @throws if the first build fails
 */
export async function watchExtension({ root, mode, outDir }: { root: string; mode: Browser; outDir: string }) {
  rmSync(outDir, { recursive: true, force: true });
  const builder = await createBuilder({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode,
    logLevel: 'warn',
    build: { outDir, emptyOutDir: false, watch: {}, minify: false, sourcemap: 'inline' },
  });
  const watchers = Object.values(builder.environments).map(async (environment) => {
    const watcher = await builder.build(environment);
    if (!('on' in watcher)) throw new Error('Vite did not start in watch mode.');
    await new Promise<void>((resolve, reject) => {
      watcher.on('event', (event) => {
        if (event.code === 'END') resolve();
        // After the first build has succeeded, `reject` has no effect. Vite prints later errors and builds again after
        // the next change.
        if (event.code === 'ERROR') reject(event.error);
      });
    });
    return watcher;
  });
  return Promise.all(watchers);
}
