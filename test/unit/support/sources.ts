import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

/** Reads all TypeScript and JavaScript files of folders such as `src/`. */
export function sourcesIn(...folders: string[]) {
  const sources = folders
    .flatMap((folder) => readdirSync(new URL(folder, ROOT), { recursive: true }).map((name) => `${folder}${name}`))
    .filter((path) => /\.[jt]sx?$/.test(path) && !path.includes('node_modules/'))
    .map((path) => ({ path, code: readFileSync(new URL(path, ROOT), 'utf8') }));
  return {
    sources,
    /** Returns the paths of the files that contain the pattern, sorted. */
    using: (pattern: RegExp) =>
      sources
        .filter(({ code }) => pattern.test(code))
        .map(({ path }) => path)
        .toSorted(),
  };
}
