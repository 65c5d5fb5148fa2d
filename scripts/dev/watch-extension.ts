import { join } from 'node:path';
import { build } from 'vite';
import type { Browser } from '../build/manifest.ts';

export interface WatchOptions {
  root: string;
  mode: Browser;
  /** Emptied and filled with the build. */
  outDir: string;
}

export interface ExtensionWatcher {
  /** Calls back after every build from now on that went well. */
  onBuilt(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Builds the extension readable and with source maps, and again on every change; returns after the first build. It is
 * the ordinary build made again and again: what a dev server serves would be allowed to reach every site.
 *
 * @throws where the first build fails
 */
export async function watchExtension({ root, mode, outDir }: WatchOptions): Promise<ExtensionWatcher> {
  const watcher = await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode,
    logLevel: 'warn',
    build: { outDir, watch: {}, minify: false, sourcemap: 'inline' },
  });
  if (!('on' in watcher)) throw new Error('Vite built once instead of watching');
  await new Promise<void>((resolve, reject) => {
    watcher.on('event', (event) => {
      if (event.code === 'END') resolve();
      // Later ones are shown by Vite, and the next change builds again.
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
