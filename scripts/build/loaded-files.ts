import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The scripts, styles and pages of a built extension that are loaded with `roots`, these included, as paths within the
 * build.
 *
 * @param late also what a script imports only when it is asked for
 */
export function loadedFiles(build: string, roots: string[], late = false): string[] {
  const found = new Set<string>();
  const follow = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(build, file), 'utf8');
    if (file.endsWith('.html')) linkedFiles(text).forEach(follow);
    if (file.endsWith('.js')) imports(file, text, late).forEach(follow);
  };
  roots.forEach(follow);
  return [...found];
}

const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g;

function linkedFiles(html: string): string[] {
  const links = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/?([^"]+\.(?:js|css))"/g)];
  return links.map(([, file = '']) => file);
}

function imports(file: string, script: string, late: boolean): string[] {
  const pattern = late ? /(?:\bfrom|\bimport)\s*\(?["'`](\.{1,2}\/[^"'`]+)["'`]/g : STATIC_IMPORT;
  const paths = [...script.matchAll(pattern)];
  return paths.map(([, path = '']) => join(dirname(file), path));
}
