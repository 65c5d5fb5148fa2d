import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The scripts, styles and pages of a built extension that are loaded with `roots`, these included, as paths within the
 * build. What a script imports only when it is asked for is not among them.
 */
export function loadedFiles(build: string, roots: string[]): string[] {
  const found = new Set<string>();
  const follow = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(build, file), 'utf8');
    if (file.endsWith('.html')) linkedFiles(text).forEach(follow);
    if (file.endsWith('.js')) imports(file, text).forEach(follow);
  };
  roots.forEach(follow);
  return [...found];
}

function linkedFiles(html: string): string[] {
  const links = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\/?([^"]+\.(?:js|css))"/g)];
  return links.map(([, file = '']) => file);
}

/** Static imports alone: `import(` is not followed by a path's quote. */
function imports(file: string, script: string): string[] {
  const paths = [...script.matchAll(/(?:\bfrom|\bimport)\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g)];
  return paths.map(([, path = '']) => join(dirname(file), path));
}
