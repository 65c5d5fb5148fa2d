import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipFolder } from '../../scripts/build/zip.ts';

/** Bytes of a build, after gzip as far as a name does not say otherwise. */
export interface Weight {
  worker: number;
  popup: number;
  options: number;
  links: number;
  /** The whole package for the store. */
  zip: number;
}

/** What each part of a built extension has to load before it works: scripts, styles and the page itself. */
export function weigh(build: string): Weight {
  const manifest = JSON.parse(readFileSync(join(build, 'manifest.json'), 'utf8'));
  const { service_worker, scripts = [service_worker] } = manifest.background;
  const weightOf = (...roots: string[]) => sum([...loaded(build, roots)].map((file) => gzipped(join(build, file))));
  return {
    worker: weightOf(...scripts),
    popup: weightOf('src/popup/index.html'),
    options: weightOf('src/options/index.html'),
    links: weightOf('src/links/index.html'),
    zip: zipFolder(build).length,
  };
}

/** The files that are loaded with `roots`; what a script imports only when it is asked for does not count. */
function loaded(build: string, roots: string[], found = new Set<string>()): Set<string> {
  for (const file of roots) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(join(build, file), 'utf8');
    loaded(build, file.endsWith('.html') ? linkedFiles(text) : file.endsWith('.js') ? imports(file, text) : [], found);
  }
  return found;
}

function linkedFiles(html: string): string[] {
  const links = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/?([^"]+\.(?:js|css))"/g)];
  return links.map(([, file = '']) => file);
}

function imports(file: string, script: string): string[] {
  const paths = [...script.matchAll(/(?:\bfrom|\bimport)\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g)];
  return paths.map(([, path = '']) => join(dirname(file), path));
}

const gzipped = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length;
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
