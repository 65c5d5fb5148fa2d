import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { bundleEntry } from './bundle-entry.ts';

/**
 * Makes one script of all that a page, or the background, loads. A chunk that is shared holds what any of those that
 * share it needs, so each would load the needs of the others, file after file. What is imported on demand stays a
 * script of its own. A build that is not minified is for reading, and keeps its files and their source maps.
 *
 * @param background the background's source
 */
export function oneFileEach(background: string): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'terse:one-file-each',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle(_options, bundle) {
      if (config.build.minify === false) return;
      const folder = resolve(config.root, config.build.outDir);
      const { background: built } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      const entries = [
        { source: background, script: built.service_worker ?? built.scripts[0] },
        ...pagesIn(folder).map((page) => ({
          source: join(page, '..', scriptOf(join(config.root, page))),
          script: scriptOf(join(folder, page)).slice(1),
        })),
      ];
      const { root, build } = config;
      const chunks = await Promise.all(entries.map((entry) => bundleEntry(root, build.target, entry)));
      for (const { fileName, type } of Object.values(bundle)) {
        if (type === 'chunk') rmSync(join(folder, fileName), { force: true });
      }
      for (const { fileName, code } of chunks.flat()) writeFileSync(join(folder, fileName), code);
    },
  };
}

function pagesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true }).map(String);
  return files.filter((file) => file.endsWith('.html'));
}

/** The address of a page's one module, as the page has it. */
function scriptOf(page: string): string {
  const [, address] = /<script type="module"[^>]* src="([^"]+)"/.exec(readFileSync(page, 'utf8')) ?? [];
  if (!address) throw new Error(`${page} has no module`);
  return address;
}
