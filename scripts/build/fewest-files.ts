import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { bundle, type Entry } from './bundle.ts';

/** What loads itself and nothing that others need besides: it starts dozens of times a day, or opens for one button. */
const ALONE = ['src/popup/index.html', 'src/offscreen/index.html'];

/**
 * Makes one script of all that the background loads, and one of all that the popup does. A chunk that is shared holds what
 * any of those that share it needs, so each would load the needs of the others, file after file. The pages in tabs share
 * one, which keeps the package small. What is imported on demand stays a script of its own. A build that is not minified is
 * for reading, and keeps its files and their source maps.
 *
 * @param background the background's source
 */
export function fewestFiles(background: string): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'terse:fewest-files',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle(_options, written) {
      if (config.build.minify === false) return;
      const folder = resolve(config.root, config.build.outDir);
      const { background: built } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      const script = built.service_worker ?? built.scripts[0];
      const page = (html: string): Entry => ({
        source: join(html, '..', scriptOf(join(config.root, html))),
        script: scriptOf(join(folder, html)).slice(1),
      });
      const pages = pagesIn(folder);
      const bundles = [
        [{ source: background, script }],
        ...ALONE.filter((html) => pages.includes(html)).map((html) => [page(html)]),
        pages.filter((html) => !ALONE.includes(html)).map(page),
      ];
      const { root, build } = config;
      const chunks = await Promise.all(bundles.map((entries) => bundle(root, build.target, entries)));
      for (const { fileName, type } of Object.values(written)) {
        if (type === 'chunk') rmSync(join(folder, fileName), { force: true });
      }
      for (const { fileName, code } of chunks.flat()) writeFileSync(join(folder, fileName), code);
    },
  };
}

function pagesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true }).map(String);
  return files.filter((file) => file.endsWith('.html')).map((file) => file.replaceAll('\\', '/'));
}

/** The address of a page's one module, as the page has it. */
function scriptOf(page: string): string {
  const [, address] = /<script type="module"[^>]* src="([^"]+)"/.exec(readFileSync(page, 'utf8')) ?? [];
  if (!address) throw new Error(`${page} has no module`);
  return address;
}
