import { join } from 'node:path';
import { build } from 'vite';
import type { Browser } from '../build/manifest.ts';

export interface WatchOptions {
  root: string;
  mode: Browser;
  /** Output folder of the build. The build empties this folder first. */
  outDir: string;
}

/**
 * Builds the extension with source maps and without minification, and rebuilds it on every change. Returns the watcher
 * of the build tool after the first build. Vite's development server is not used, because an extension that loads its
 * code from there would need access to all sites.
 *
 * @throws if the first build fails
 */
export async function watchExtension({ root, mode, outDir }: WatchOptions) {
  const watcher = await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode,
    logLevel: 'warn',
    build: { outDir, watch: {}, minify: false, sourcemap: 'inline' },
  });
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
}
