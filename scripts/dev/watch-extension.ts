import { join } from 'node:path';
import { build } from 'vite';
import type { Browser } from '../build/manifest.ts';

export interface WatchOptions {
  root: string;
  mode: Browser;
  /** Folder that is emptied and receives the build. */
  outDir: string;
}

export interface ExtensionWatcher {
  /** Calls the listener after each successful build. */
  onBuilt(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Builds the extension unminified with source maps, and again on every change. Returns after the first build. A dev
 * server is not used, because its extension would get access to all sites.
 *
 * @throws if the first build fails
 */
export async function watchExtension({ root, mode, outDir }: WatchOptions): Promise<ExtensionWatcher> {
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
      // Vite shows later errors, and the next change builds again.
      if (event.code === 'ERROR') reject(event.error);
    });
  });
  return {
    onBuilt(listener) {
      watcher.on('event', (event) => {
        if (event.code === 'END') listener();
      });
    },
    close: () => watcher.close(),
  };
}
