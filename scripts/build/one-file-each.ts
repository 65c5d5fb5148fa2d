import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

type Script = [name: string, code: string];

/**
 * Makes one script of all that a page, or the background, loads. A chunk that is shared holds what any of those that
 * share it needs, so each would load the needs of the others, file after file. What is imported on demand stays a
 * script of its own. A build that is not minified is for reading, and keeps its files and their source maps.
 */
export function oneFileEach(): Plugin {
  let folder: string;
  let isForReading: boolean;
  return {
    name: 'terse:one-file-each',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
      isForReading = config.build.minify === false;
    },
    async writeBundle() {
      if (isForReading) return;
      const bundles = await Promise.all(firstScripts(folder).map((script) => bundled(folder, script)));
      for (const name of filesOf(folder, '.js')) rmSync(join(folder, name));
      for (const [name, code] of bundles.flat()) writeFileSync(join(folder, name), code);
    },
  };
}

/** The script that the manifest names for the background, and the one in every page. */
function firstScripts(folder: string): string[] {
  const { background } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const inPages = filesOf(folder, '.html').flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8');
    return [...html.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, name = '']) => name);
  });
  return [background.service_worker ?? background.scripts[0], ...inPages];
}

async function bundled(folder: string, script: string): Promise<Script[]> {
  const result = await build({
    configFile: false,
    root: folder,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      modulePreload: false,
      // Compiled already.
      target: 'esnext',
      rolldownOptions: {
        input: join(folder, script),
        output: {
          entryFileNames: script,
          // What is loaded on demand imports from the script that asks for it, so each script has its own: hence the hash.
          chunkFileNames: 'assets/[name]-[hash].js',
        },
      },
    },
  });
  const { output } = result as Exclude<typeof result, unknown[] | { close(): unknown }>;
  return output.flatMap((file): Script[] => (file.type === 'chunk' ? [[file.fileName, file.code]] : []));
}

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(ending));
}
